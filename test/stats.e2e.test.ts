import { createClient, PostriderError } from '@postrider/client';
import { STAT_COUNTS } from '@postrider/shared/domain/delivery-stats';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { type System, startSystem } from './system.js';

describe('counts of deliveries', () => {
  let system: System;
  let endpoints: Readonly<Record<'good' | 'gone' | 'broken' | 'disabled', string>>;
  before(async () => {
    system = await startSystem({ RETRY_STEP: '20ms' });
    system.receiver.answer(({ path }) => ({
      status: path === '/gone' ? 404 : path === '/broken' ? 500 : 200,
    }));
    const open = async (path: string) => (await post(path)).id;
    endpoints = {
      good: await open('good'),
      gone: await open('gone'),
      broken: await open('broken'),
      disabled: await open('disabled'),
    };
    const path = { endpointId: endpoints.disabled };
    await client().patch('/webhooks/{endpointId}', { params: { path }, body: { enabled: false } });
    for (const plan of ['team', 'free'] as const) await client().put('/billing/plan', { body: { plan } });
  });
  after(() => system?.stop());

  const client = (token = system.token) => {
    const [api] = system.services('api');
    return createClient({ baseUrl: `http://127.0.0.1:${api!.port}`, workspace: 'acme', token });
  };
  const post = (path: string) =>
    client().post('/webhooks', {
      body: { url: `${system.receiver.url}/${path}`, eventTypes: ['billing.plan_changed'] },
    });
  const stats = (query: object = {}, token?: string) => client(token).get('/stats', { params: { query } });
  /** The sums of all steps. */
  const totals = async (query: object = {}, token?: string) => {
    const { items } = await stats(query, token);
    return STAT_COUNTS.map((name) => items.reduce((sum, item) => sum + item[name], 0));
  };

  it('are those of all outcomes, for each endpoint and for the workspace', async () => {
    await eventually(async () => {
      expect(await totals({ endpointId: endpoints.good })).to.deep.equal([2, 0, 0, 0, 0, 2]);
      expect(await totals({ endpointId: endpoints.gone })).to.deep.equal([0, 0, 2, 0, 0, 2]);
      expect(await totals({ endpointId: endpoints.broken })).to.deep.equal([0, 0, 0, 2, 0, 14]);
      expect(await totals({ endpointId: endpoints.disabled })).to.deep.equal([0, 0, 0, 0, 2, 0]);
      expect(await totals()).to.deep.equal([2, 0, 2, 2, 2, 18]);
    }, 20_000);
    const { items } = await stats({ endpointId: endpoints.good });
    const { latencyMs } = items.findLast(({ attempts }) => attempts > 0)!;
    expect(latencyMs!.p50).to.be.within(0, latencyMs!.p99);
  });

  it('have each hour of the last day, or each day, and are limited to the endpoints of a portal link', async () => {
    const hours = await stats();
    expect(hours.step).to.equal('hour');
    expect(hours.items).to.have.length.within(24, 25);
    expect(hours.items[0]).to.include({ delivered: 0, latencyMs: null });
    const to = new Date();
    const from = new Date(to.getTime() - 30 * 86_400_000).toISOString();
    const days = await stats({ from, to: to.toISOString() });
    expect([days.step, days.items.length]).to.deep.equal(['day', 31]);
    expect(days.items.at(-1)!.start).to.match(/T00:00:00\.000Z$/);
    const { token } = await client().post('/portal-links', { body: { endpointIds: [endpoints.gone] } });
    expect(await totals({}, token)).to.deep.equal([0, 0, 2, 0, 0, 2]);
  });

  it('refuse a span that is reversed, too long for its step or too long at all', async () => {
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    for (const [query, path] of [
      [{ from: ago(1), to: ago(2) }, 'from'],
      [{ from: ago(8), step: 'hour' }, 'step'],
      [{ from: ago(1_001), step: 'day' }, 'from'],
      [{ step: 'week' }, 'step'],
      [{ from: 'yesterday' }, 'from'],
    ] as const) {
      const error = await stats(query).catch((caught: unknown) => caught);
      expect(error, path).to.be.instanceOf(PostriderError);
      const { tag, errors } = error as PostriderError;
      expect([tag, errors.map((one) => one.path)]).to.deep.equal(['InvalidRequest', [path]]);
    }
  });
});
