import type { Receiver } from '@postrider/shared/testing/receiver';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { startDemoReceiver } from './receiver.js';

const OLD_SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const NEW_SECRET = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;

describe('demo receiver', () => {
  let receiver: Receiver;
  let url: string;
  let lines: string[];

  beforeEach(async () => {
    lines = [];
    const report = (line: string) => lines.push(line);
    receiver = await startDemoReceiver({ secrets: [OLD_SECRET], capacity: 3, report });
    ({ url } = receiver);
  });

  afterEach(() => receiver.close());

  const post = (id: string, secret = OLD_SECRET, body = '{"eventType":"billing.plan_changed"}') => {
    const at = new Date();
    const signature = new Webhook(secret).sign(id, at, body);
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signature,
    };
    return fetch(`${url}/hook`, { method: 'POST', headers, body });
  };
  const put = (path: string, body: unknown) =>
    fetch(url + path, { method: 'PUT', body: typeof body === 'string' ? body : JSON.stringify(body) });
  const get = async (path: string) => (await fetch(url + path)).json() as Promise<Record<string, unknown>>;
  const deliveries = async () => (await get('/deliveries')).items as Record<string, unknown>[];

  it('accepts a signed webhook and reports it in one line', async () => {
    expect((await post('whd_abcdefgh')).status).to.equal(200);
    expect(lines).to.have.length(1);
    expect(lines[0]).to.match(/billing\.plan_changed {2}…cdefgh {2}verified ✓ {2}answered 200$/);
    const [received] = await deliveries();
    const expected = { id: 'whd_abcdefgh', eventType: 'billing.plan_changed', verified: true, status: 200 };
    expect(received).to.include(expected);
  });

  it('answers 401 to a signature by an unknown secret and reports it', async () => {
    const answer = await post('whd_1', NEW_SECRET);
    expect(answer.status).to.equal(401);
    expect(await answer.json()).to.deep.equal({ error: 'not verified: No matching signature found' });
    expect(lines[0]).to.contain('signature ✗').and.contain('answered 401');
  });

  it('answers 401 to a POST without signature', async () => {
    const answer = await fetch(`${url}/hook`, { method: 'POST', body: '{}' });
    expect(answer.status).to.equal(401);
    expect(lines[0]).to.contain('no event type').and.contain('no webhook-id');
  });

  it('verifies the bytes as received, also when they are no JSON', async () => {
    expect((await post('whd_1', OLD_SECRET, 'no { json')).status).to.equal(200);
  });

  it('verifies with rotated secrets', async () => {
    expect((await put('/secrets', { secrets: [NEW_SECRET, OLD_SECRET] })).status).to.equal(200);
    expect((await post('whd_1', NEW_SECRET)).status).to.equal(200);
    expect((await post('whd_2', OLD_SECRET)).status).to.equal(200);
  });

  for (const body of ['no json', {}, { secrets: 'whsec_x' }, { secrets: [''] }, { secrets: [], more: 1 }]) {
    it(`rejects ${JSON.stringify(body)} as secrets`, async () => {
      expect((await put('/secrets', body)).status).to.equal(400);
    });
  }

  it('acknowledges a repeated webhook as a duplicate', async () => {
    await post('whd_1');
    expect((await post('whd_1')).status).to.equal(200);
    expect((await deliveries()).map(({ duplicate }) => duplicate)).to.deep.equal([false, true]);
    expect(lines[1]).to.contain('(seen before)');
  });

  it('does not treat a webhook as a duplicate after an error response', async () => {
    await put('/behaviour', { status: 500, times: 1 });
    await post('whd_1');
    await post('whd_1');
    expect((await deliveries()).map(({ duplicate }) => duplicate)).to.deep.equal([false, false]);
  });

  it('fails the configured number of times and recovers', async () => {
    const response = await put('/behaviour', { status: 503, times: 2 });
    expect(await response.json()).to.deep.equal({ status: 503, delayMs: 0, times: 2 });
    const statuses = [];
    for (const id of ['a', 'b', 'c']) statuses.push((await post(id)).status);
    expect(statuses).to.deep.equal([503, 503, 200]);
    expect(await get('/behaviour')).to.deep.equal({ status: 200, delayMs: 0, times: null });
  });

  it('does not count unverified webhooks as configured failures', async () => {
    await put('/behaviour', { status: 500, times: 1 });
    await post('a', NEW_SECRET);
    expect(await get('/behaviour')).to.deep.equal({ status: 500, delayMs: 0, times: 1 });
  });

  it('waits before it answers', async () => {
    await put('/behaviour', { delayMs: 60 });
    const before = performance.now();
    await post('a');
    expect(performance.now() - before).to.be.at.least(59);
  });

  const invalid: readonly (readonly [unknown, readonly string[]])[] = [
    ['no json', ['']],
    [[], ['']],
    [{ status: '500', delayMs: -1 }, ['status', 'delayMs']],
    [{ status: null }, ['status']],
    [{ status: 100, delayMs: 60_001, times: 0.5, often: true }, ['status', 'delayMs', 'times', 'often']],
    [{ status: 600, times: 0, toString: 1 }, ['status', 'times', 'toString']],
  ];
  for (const [body, fields] of invalid) {
    it(`reports every invalid field of the behaviour ${JSON.stringify(body)}`, async () => {
      const response = await put('/behaviour', body);
      expect(response.status).to.equal(400);
      const { errors } = (await response.json()) as { errors: object };
      expect(Object.keys(errors)).to.have.members(fields);
      expect(await get('/behaviour')).to.deep.equal({ status: 200, delayMs: 0, times: null });
    });
  }

  it('keeps only the latest webhooks', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await post(id);
    expect((await deliveries()).map(({ id }) => id)).to.deep.equal(['b', 'c', 'd']);
  });

  it('rejects a body over one mebibyte', async () => {
    expect((await post('a', OLD_SECRET, 'x'.repeat(1024 * 1024 + 1))).status).to.equal(413);
    expect((await post('a', OLD_SECRET, 'x'.repeat(1024 * 1024))).status).to.equal(200);
  });

  it('answers 405 to a wrong method and 404 to an unknown path', async () => {
    expect((await fetch(`${url}/healthz`)).status).to.equal(200);
    expect((await fetch(`${url}/hook`)).status).to.equal(405);
    expect((await fetch(`${url}/elsewhere`)).status).to.equal(404);
  });
});
