import { connectMongo, type Database } from '@postrider/shared/mongo/connect';
import { toDeliveryDocument } from '@postrider/shared/mongo/documents';
import { migrateMongo } from '@postrider/shared/mongo/migrate';
import { expect } from 'chai';
import type { Webhook } from '../../src/contract/webhook.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld, newId } from '../api-world.js';
import { deliveryRow } from '../delivery-row.js';
import { CREATE } from '../operations/endpoints-of.js';
import { runCommand } from './run-command.js';

const HOUR_MS = 3_600_000;

describe('admin endpoints enable', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  let env: Record<string, string>;
  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
    const uri = new URL(process.env.MONGODB_URI ?? 'mongodb://not-set-run-npm-test');
    uri.pathname = `/${world.database.db.databaseName}`;
    env = { MONGODB_URI: uri.href, START_TIMEOUT: '1s' };
    const database: Database = await connectMongo(uri.href, 'test');
    await migrateMongo(database);
    await database.close();
  });
  after(() => world?.destroy());

  const create = async () => (await admin.request<Webhook>('/webhooks', { body: CREATE })).body.id;
  /** Disables an endpoint as the twentieth failure does. */
  const disable = async (id: string, agoMs: number, reason = 'consecutive_failures') => {
    const { endpoints, auditEvents } = world.database.collections;
    await endpoints.updateOne(
      { _id: id },
      {
        $set: {
          enabled: false,
          disabledReason: reason as never,
          disabledAt: new Date(),
          consecutiveFailures: 20,
          streakVersion: 20,
        },
      },
    );
    await auditEvents.insertOne({
      _id: newId('audit', new Date(Date.now() - agoMs)),
      workspaceId: world.workspace.id,
      action: 'webhook_endpoint.disabled',
      actor: { type: 'system', id: null },
      target: { type: 'endpoint', id },
      metadata: { reason },
      createdAt: new Date(Date.now() - agoMs),
      streak: null,
    } as never);
  };
  const enable = (...more: string[]) =>
    runCommand(
      ['endpoints', 'enable', '--disabled-since', '2h', '--reason', 'consecutive_failures', ...more],
      env,
    );
  const idsOf = (out: string) =>
    JSON.parse(out).endpoints.map((one: { endpointId: string }) => one.endpointId);
  const stored = (id: string) => world.database.collections.endpoints.findOne({ _id: id });

  it('enables what failures disabled within the time, once, with an audit entry, and nothing else', async () => {
    const [recent, older, byOperator, disabledAgain, deleted] = [
      await create(),
      await create(),
      await create(),
      await create(),
      await create(),
    ];
    await disable(recent, HOUR_MS);
    await disable(recent, HOUR_MS / 2);
    await disable(older, 3 * HOUR_MS);
    await disable(byOperator, HOUR_MS, 'operator');
    await disable(disabledAgain, HOUR_MS);
    await admin.request(`/webhooks/${disabledAgain}`, { method: 'PATCH', body: { enabled: false } });
    await disable(deleted, HOUR_MS);
    await admin.request(`/webhooks/${deleted}`, { method: 'DELETE' });

    const before = (await stored(recent))!;
    const dry = await enable('--dry-run', '--json');
    expect([dry.code, idsOf(dry.out)]).to.deep.equal([0, [recent]]);
    expect((await stored(recent))!.enabled).to.equal(false);

    const { code, out } = await enable('--json');
    expect([code, idsOf(out)]).to.deep.equal([0, [recent]]);
    expect(await stored(recent)).to.include({ enabled: true, disabledReason: null, consecutiveFailures: 0 });
    for (const id of [older, byOperator, disabledAgain, deleted])
      expect((await stored(id))!.enabled, id).to.equal(false);
    const period = (await stored(recent))!.lastPeriod!;
    expect(period, 'events of the disabled period are still held for a replay').to.deep.equal({
      since: before.disabledAt,
      enabledSince: before.enabledSince,
    });
    const entries = await world.audits(recent);
    expect(entries.at(-1)).to.deep.include({
      action: 'webhook_endpoint.enabled',
      streak: { version: 21, before: 20, after: 0 },
    });
    expect(idsOf((await enable('--json')).out)).to.deep.equal([]);
  });

  it('replays what was held by one job of the system for each endpoint, however many are active', async () => {
    const { deliveries, replayJobs } = world.database.collections;
    const ids = await Promise.all(Array.from({ length: 6 }, create));
    for (const id of ids) await disable(id, HOUR_MS);
    const [first] = ids as [string];
    const since = (await stored(first))!.disabledAt!;
    for (const heldSince of [since, since, new Date(0)]) {
      const facts = {
        workspaceId: world.workspace.id,
        endpointId: first,
        status: 'failed_permanent',
      } as const;
      await deliveries.insertOne({ ...toDeliveryDocument(deliveryRow(facts)), heldSince } as never);
    }
    const jobs = () => replayJobs.find({ workspaceId: world.workspace.id }).toArray();
    const endpointsOf = (
      out: string,
    ): { endpointId: string; heldDeliveries?: number; replayJobId?: string }[] => JSON.parse(out).endpoints;

    const dry = await enable('--replay-held', '--dry-run', '--json');
    const counts = new Map(endpointsOf(dry.out).map((one) => [one.endpointId, one.heldDeliveries]));
    expect(ids.map((id) => counts.get(id))).to.deep.equal([2, 0, 0, 0, 0, 0]);
    expect((await enable('--replay-held', '--dry-run')).err).to.include(
      '2 held deliveries would be replayed',
    );
    expect(await jobs()).to.deep.equal([]);
    expect((await stored(first))!.enabled).to.equal(false);

    const { code, out } = await enable('--replay-held', '--json');
    expect(code).to.equal(0);
    const started = await jobs();
    expect(started.map(({ _id }) => _id)).to.have.members(endpointsOf(out).map((one) => one.replayJobId));
    expect(started.map(({ filter }) => filter.endpointId)).to.have.members(ids);
    const job = started.find(({ filter }) => filter.endpointId === first)!;
    expect(job.actor).to.deep.equal({ type: 'system', id: null });
    expect(job.held!.since).to.deep.equal(since);
    expect((await world.audits(job._id)).map(({ action }) => action)).to.deep.equal([
      'webhook.replay_job_created',
    ]);
    const requested = { endpointId: first, createdAfter: new Date(0).toISOString() };
    expect(
      (await admin.request('/webhooks/replay-jobs', { body: requested })).status,
      'a sixth job',
    ).to.equal(202);

    expect(endpointsOf((await enable('--replay-held', '--json')).out)).to.deep.equal([]);
    expect(await jobs(), 'no second one').to.have.length(ids.length + 1);
  });

  // Regression: a damaged endpoint ended every run at the same place, and what was enabled before it was not printed.
  it('reports a damaged endpoint with the reason, enables the others and exits with 1', async () => {
    const { endpoints } = world.database.collections;
    const ids = [await create(), await create(), await create()] as const;
    const [first, damaged, last] = ids;
    const disableAll = async () => {
      for (const [index, id] of ids.entries()) await disable(id, HOUR_MS - index * 1_000);
    };
    await disableAll();
    const lastPeriod = { since: new Date(), enabledSince: new Date() };
    const text = { enabledSince: new Date().toISOString() as never, lastPeriod };
    await endpoints.updateOne({ _id: damaged }, { $set: text });

    const { code, out, err } = await enable();
    expect(code).to.equal(1);
    expect(out.split('\n').map((line) => line.split(' ')[0])).to.deep.equal([first, last]);
    expect(err).to.match(new RegExp(`^${damaged} stays disabled: .+`, 'm'));
    expect(err).to.include('2 endpoints were enabled.');
    expect(err).to.include('error: 1 endpoint could not be enabled');
    for (const id of [first, last]) expect((await stored(id))!.enabled).to.equal(true);
    expect((await stored(damaged))!.enabled).to.equal(false);

    await endpoints.deleteMany({ _id: { $in: [first, last] } });
    const again = await enable('--json');
    expect(again.code).to.equal(1);
    expect(idsOf(again.out)).to.deep.equal([]);
    const [failed] = JSON.parse(again.out).failed;
    expect(failed).to.include({ endpointId: damaged }).and.to.have.property('reason').that.is.not.equal('');
    await endpoints.deleteOne({ _id: damaged });
  });

  it('names what is missing or unknown', async () => {
    const without = await runCommand(['endpoints', 'enable', '--disabled-since', '2h'], env);
    expect([without.code, without.err]).to.satisfy(
      ([code, err]: [number, string]) => code !== 0 && err.includes('--reason'),
    );
    const unknown = await enable('--workspace', 'missing');
    expect(unknown.err).to.include('there is no workspace "missing"');
    const wrong = await runCommand(
      ['endpoints', 'enable', '--disabled-since', 'yesterday', '--reason', 'operator'],
      env,
    );
    expect(wrong.code).to.not.equal(0);
  });
});
