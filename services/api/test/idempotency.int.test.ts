import { createHash } from 'node:crypto';
import { inTransaction } from '@postrider/shared/mongo/transaction';
import { createSecretBox } from '@postrider/shared/runtime/secret-box';
import { sleep } from '@postrider/shared/runtime/sleep';
import { profiled } from '@postrider/shared/testing/profiled';
import { expect } from 'chai';
import type { CreatedApiToken } from '../src/contract/api-token.js';
import type { RotatedSecret, Webhook } from '../src/contract/webhook.js';
import { createIdempotencyStore } from '../src/mongo/idempotency.js';
import type { ApiClient } from './api-client.js';
import { type ApiWorld, apiWorld } from './api-world.js';

const BODY = { url: 'https://hooks.example.com/x', eventTypes: ['billing.plan_changed'] };
const HOUR_MS = 3_600_000;

describe('Idempotency-Key', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
  });
  after(() => world?.destroy());

  let keys = 0;
  const freshKey = () => `key-${++keys}`;
  const create = (key: string, body: object = BODY, as = admin) =>
    as.request<Webhook & { tag?: string }>('/webhooks', { body, headers: { 'idempotency-key': key } });
  const endpoints = () => world.database.collections.endpoints.countDocuments();
  const stored = () => world.database.collections.idempotencyKeys;

  it('returns the stored result for the same request and creates nothing', async () => {
    const [key, before, offered] = [freshKey(), await endpoints(), world.offered.length];
    const first = await create(key);
    const second = await create(key);
    expect([first.status, second.status]).to.deep.equal([201, 201]);
    expect(second.body).to.deep.equal(first.body);
    expect(second.headers.get('x-trace-id')).to.not.equal(first.headers.get('x-trace-id'));
    expect(await endpoints()).to.equal(before + 1);
    expect(world.offered).to.have.length(offered + 1);
  });

  it('returns the stored result even if the state has changed', async () => {
    const key = freshKey();
    const { body } = await create(freshKey());
    const rotate = () =>
      admin.request<RotatedSecret>(`/webhooks/${body.id}/rotate-secret`, {
        method: 'POST',
        headers: { 'idempotency-key': key },
      });
    const first = await rotate();
    await admin.request(`/webhooks/${body.id}/rotate-secret`, { method: 'POST' });
    expect((await rotate()).body).to.deep.equal(first.body);
  });

  it('keeps no secret of an endpoint that was deleted', async () => {
    const key = freshKey();
    const { body } = await create(freshKey());
    const rotate = () =>
      admin.requestRefused(`/webhooks/${body.id}/rotate-secret`, {
        method: 'POST',
        headers: { 'idempotency-key': key },
      });
    expect((await rotate()).status).to.equal(200);
    expect(await stored().countDocuments({ secretOf: body.id })).to.equal(1);
    await admin.request(`/webhooks/${body.id}`, { method: 'DELETE' });
    expect(await stored().countDocuments({ secretOf: body.id })).to.equal(0);
    const repeated = await rotate();
    expect([repeated.status, repeated.body.tag]).to.deep.equal([404, 'EndpointNotFound']);
  });

  // Regression: the result was still known as one with a secret of that endpoint, and removed with it.
  it('keeps a result under an expired key when the endpoint of the result before it is deleted', async () => {
    const key = freshKey();
    const { body } = await create(freshKey());
    const headers = { 'idempotency-key': key };
    await admin.request(`/webhooks/${body.id}/rotate-secret`, { method: 'POST', headers });
    await stored().updateOne({ secretOf: body.id }, { $set: { expiresAt: new Date(0) } });
    const first = await create(key);
    await admin.request(`/webhooks/${body.id}`, { method: 'DELETE' });
    expect((await create(key)).body).to.deep.equal(first.body);
  });

  // Regression: beyond some 100,000, the transaction did not fit into the database's cache, and the endpoint could not be deleted.
  it('removes many stored secrets of an endpoint before the transaction that deletes it', async () => {
    const { body } = await create(freshKey());
    const secrets = Array.from({ length: 3_000 }, (_, n) => ({
      ...{ _id: `secret ${n}`, fingerprint: '', claim: '', claimedUntil: new Date(), answer: null },
      ...{ secretOf: body.id, expiresAt: new Date(Date.now() + HOUR_MS) },
    }));
    await stored().insertMany(secrets);
    const remove = () => admin.request(`/webhooks/${body.id}`, { method: 'DELETE' });
    const removals = await profiled(world.database.db, remove, { ndeleted: { $gt: 0 } });
    expect(removals).to.have.length(1);
    expect(removals[0]?.numYield).to.be.above(0);
    expect(await stored().countDocuments({ secretOf: body.id })).to.equal(0);
    expect((await admin.requestRefused(`/webhooks/${body.id}`)).status).to.equal(404);
  });

  it('refuses another body or path with the same key', async () => {
    const key = freshKey();
    await create(key);
    const before = await endpoints();
    const other = await create(key, { ...BODY, description: 'other' });
    expect([other.status, other.body.tag]).to.deep.equal([422, 'IdempotencyKeyReused']);
    const path = await admin.requestRefused('/api-tokens', {
      body: { name: 'x', scopes: ['read'] },
      headers: { 'idempotency-key': key },
    });
    expect(path.body.tag).to.equal('IdempotencyKeyReused');
    expect(await endpoints()).to.equal(before);
  });

  it('never returns a result to another token', async () => {
    const key = freshKey();
    const other = await world.as(['admin']);
    const [mine, theirs] = [await create(key), await create(key, BODY, other)];
    expect(theirs.body.id).to.not.equal(mine.body.id);
  });

  it('takes effect once for fifty concurrent identical requests', async () => {
    const [key, before, offered] = [freshKey(), await endpoints(), world.offered.length];
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(key)));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.id)).size).to.equal(1);
    expect(await endpoints()).to.equal(before + 1);
    expect(world.offered).to.have.length(offered + 1);
  });

  it('is optional: without a key each request takes effect', async () => {
    const before = await endpoints();
    for (let time = 0; time < 2; time += 1) {
      // The typed client always sends a key.
      const { status } = await admin.request('/webhooks', { body: JSON.stringify(BODY) });
      expect(status).to.equal(201);
    }
    expect(await endpoints()).to.equal(before + 2);
  });

  it('does not store errors, so that the same request may succeed later', async () => {
    const key = freshKey();
    const { body } = await create(freshKey(), { ...BODY, enabled: false });
    const test = () =>
      admin.requestRefused(`/webhooks/${body.id}/test-event`, {
        method: 'POST',
        headers: { 'idempotency-key': key },
      });
    expect((await test()).status).to.equal(409);
    await admin.request(`/webhooks/${body.id}`, { method: 'PATCH', body: { enabled: true } });
    expect((await test()).status).to.equal(202);
  });

  it('stores keys hashed and results encrypted', async () => {
    const key = freshKey();
    const { body } = await admin.request<CreatedApiToken>('/api-tokens', {
      body: { name: 'kept', scopes: ['read'] },
      headers: { 'idempotency-key': key },
    });
    const everything = JSON.stringify(await stored().find().toArray());
    expect(everything).to.not.include(body.token.slice(8));
    expect(everything).to.not.include(key);
  });

  it('expires after 24 hours', async () => {
    const key = freshKey();
    const first = await create(key);
    world.clock.advance(24 * HOUR_MS - 60_000);
    expect((await create(key)).body.id).to.equal(first.body.id);
    world.clock.advance(60_001);
    expect((await create(key)).body.id).to.not.equal(first.body.id);
    const indexes = await stored().indexes();
    expect(indexes.find((index) => index.expireAfterSeconds === 0)?.key).to.deep.equal({ expiresAt: 1 });
  });

  for (const key of ['', 'ü', 'with space', 'x'.repeat(256)]) {
    it(`refuses the key ${JSON.stringify(key.slice(0, 20))}`, async () => {
      const headers = { 'idempotency-key': Buffer.from(key).toString('latin1') };
      const { status, body } = await admin.requestRefused('/webhooks', { body: BODY, headers });
      expect([status, body.errors?.[0]?.path]).to.deep.equal([400, 'Idempotency-Key']);
    });
  }

  describe('with the claim of another process', () => {
    const request = { scope: 'tok_1', key: 'shared', fingerprint: 'one' };
    const never = new Promise<never>(() => {});
    const keeper = (sleep: (ms: number) => Promise<unknown>) =>
      createIdempotencyStore({
        client: world.database.client,
        keys: stored(),
        clock: world.clock,
        sealing: createSecretBox([{ id: 'test', key: Buffer.alloc(32, 1) }]),
        sleep,
      });

    /** Starts a request that never completes, like that of a killed process. */
    async function hold(key: string): Promise<void> {
      let begun = () => {};
      const running = new Promise<void>((resolve) => {
        begun = resolve;
      });
      void keeper(async () => {}).runOnce({ ...request, key }, () => {
        begun();
        return never;
      });
      await running;
    }

    it('waits briefly, then refuses the key as in use', async () => {
      await hold('held');
      const pauses: number[] = [];
      const second = keeper(async (ms) => pauses.push(ms)).runOnce(
        { ...request, key: 'held' },
        async () => 'ran',
      );
      expect(await second.catch((error) => error.tag)).to.equal('IdempotencyKeyInUse');
      expect(pauses).to.deep.equal([25, 50, 100, 200, 400, 800]);
    });

    it('takes over after the lease of 30 s', async () => {
      await hold('lapsed');
      world.clock.advance(30_001);
      const second = keeper(() => never).runOnce({ ...request, key: 'lapsed' }, async () => 'ran');
      expect(await second).to.equal('ran');
    });

    // Regression: a plain write waits for an open transaction, so the server's own limit of a minute ended the wait.
    it('takes over soon when its transaction is still open', async function soon() {
      this.timeout(25_000);
      await hold('locked');
      const session = world.database.client.startSession();
      session.startTransaction();
      const _id = createHash('sha256').update(`${request.scope}\nlocked`).digest('hex');
      const { modifiedCount } = await stored().updateOne(
        { _id },
        { $currentDate: { expiresAt: true } },
        { session },
      );
      expect(modifiedCount).to.equal(1);
      world.clock.advance(30_001);
      const second = keeper(() => never).runOnce({ ...request, key: 'locked' }, async () => 'ran');
      expect(await second).to.equal('ran');
      // The server has ended this transaction.
      await session.endSession().catch(() => undefined);
    });

    // Regression: all but one got the result of the day before.
    it('takes over an expired key once for concurrent requests, which get its new result', async () => {
      const store = keeper(sleep);
      const run = (result: string) =>
        store.runOnce({ ...request, key: 'expired' }, async (claim) => {
          await inTransaction(world.database.client, (session) =>
            store.saveResult(claim, { result }, session),
          );
          return result;
        });
      expect(await run('yesterday')).to.equal('yesterday');
      world.clock.advance(24 * HOUR_MS + 1);
      const results = await Promise.all(Array.from({ length: 10 }, (_, n) => run(`today ${n}`)));
      expect(new Set(results)).to.have.property('size', 1);
      expect(results[0]).to.match(/^today/);
    });

    it('does not let the process that lost its claim commit', async () => {
      const sealing = keeper(async () => {});
      const overtaken = await sealing
        .runOnce({ ...request, key: 'overtaken' }, async (claim) => {
          world.clock.advance(30_001);
          await keeper(async () => {}).runOnce({ ...request, key: 'overtaken' }, async () => 'ran');
          return world.database.client.withSession((session) =>
            sealing.saveResult(claim, { result: 'late' }, session),
          );
        })
        .catch((error) => error.tag);
      expect(overtaken).to.equal('IdempotencyKeyInUse');
    });
  });
});
