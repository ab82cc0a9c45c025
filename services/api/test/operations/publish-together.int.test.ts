import { createHash } from 'node:crypto';
import { eventRecord } from '@postrider/shared/outbox/record';
import type { OutboxRecord } from '@postrider/shared/ports/outbox';
import { createSecretBox } from '@postrider/shared/runtime/secret-box';
import { anEventType } from '@postrider/shared/testing/fixed-catalogue';
import { expect } from 'chai';
import type { PublishedEvent } from '../../src/contract/event.js';
import type { Problem } from '../../src/contract/problem.js';
import { createEventStore } from '../../src/mongo/event-store.js';
import { createIdempotencyStore } from '../../src/mongo/idempotency.js';
import { createUnitOfWork } from '../../src/mongo/unit-of-work.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld, newId } from '../api-world.js';

const PAID = { type: 'invoice.paid', data: { invoiceId: 'in_1', amount: 4200 } };

describe('events published at the same time', () => {
  let world: ApiWorld;
  let publisher: ApiClient;
  before(async () => {
    world = await apiWorld();
    world.catalogue.set([anEventType()]);
    publisher = await world.as(['event:publish']);
  });
  after(() => world?.destroy());

  const publish = (key: string, body: object = PAID) =>
    publisher.request<PublishedEvent & Problem>('/events', { body, headers: { 'idempotency-key': key } });
  const stored = () => world.database.collections.outbox.countDocuments();
  const several = <T>(count: number, one: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => one(index));
  const paid = (invoiceId: string) => ({ ...PAID, data: { ...PAID.data, invoiceId } });

  it('are stored each, and each answer names its own', async () => {
    const before = await stored();
    const publishEach = () => Promise.all(several(60, (index) => publish(`each-${index}`, paid(`${index}`))));
    const answers = await publishEach();
    expect(await stored()).to.equal(before + 60);
    for (const [index, { status, body }] of answers.entries()) {
      expect(status).to.equal(202);
      const record = await world.database.collections.outbox.findOne({ _id: body.eventId });
      expect(record?.value.invoiceId).to.equal(`${index}`);
    }
    const repeated = await publishEach();
    expect(repeated.map(({ body }) => body)).to.deep.equal(answers.map(({ body }) => body));
    expect(await stored()).to.equal(before + 60);
  });

  it('are one event for one idempotency key', async () => {
    const before = await stored();
    const answers = await Promise.all(several(50, () => publish('same')));
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([202]));
    expect(new Set(answers.map(({ body }) => body.eventId)).size).to.equal(1);
    expect(await stored()).to.equal(before + 1);
    expect(world.offered.filter(({ id }) => id === answers[0]!.body.eventId)).to.have.length(1);
  });

  it('are refused alone: for a key of another request, and for data that breaks the schema', async () => {
    const before = await stored();
    const bodies = [PAID, { ...PAID, data: { ...PAID.data, amount: 1 } }, { ...PAID, data: {} }];
    const answers = await Promise.all([
      ...bodies.map((body, index) => publish(index === 2 ? 'broken' : 'shared', body)),
      ...several(10, (index) => publish(`beside-${index}`)),
    ]);
    const tags = answers.map(({ status, body }) => (status === 202 ? 'stored' : body.tag));
    expect(tags.slice(0, 2)).to.have.members(['stored', 'IdempotencyKeyReused']);
    expect(tags.slice(2)).to.deep.equal(['InvalidRequest', ...several(10, () => 'stored')]);
    expect(await stored()).to.equal(before + 11);
  });

  describe('in the store', () => {
    const offers: (readonly OutboxRecord[])[] = [];
    const create = () => {
      const { database, clock } = world;
      const sealing = createSecretBox([{ id: 'test', key: Buffer.alloc(32, 1) }]);
      const keys = database.collections.idempotencyKeys;
      const parts = {
        database,
        clock,
        relay: { offer: (records: readonly OutboxRecord[]) => void offers.push(records) },
        outboxClaimMs: 15_000,
        idempotencyStore: createIdempotencyStore({
          client: database.client,
          keys,
          clock,
          sealing,
          sleep: async () => {},
        }),
      };
      return createEventStore({ ...parts, mutate: createUnitOfWork({ ...parts, report: () => {} }) });
    };
    const newEvent = () => {
      const eventId = newId('event');
      const payload = { eventId, workspaceId: world.workspace.id, occurredAt: new Date().toISOString() };
      const event = { type: 'invoice.paid', workspaceSlug: 'acme', payload };
      return { result: eventId, outbox: [eventRecord(event, '0'.repeat(32))] };
    };
    const request = (key: string) => ({ scope: 'tok_1', key, fingerprint: 'one' });

    it('share transactions', async () => {
      const store = create();
      offers.length = 0;
      await Promise.all(
        several(64, (index) => store({ idempotency: index % 2 ? request(`${index}`) : null }, newEvent)),
      );
      expect(offers.map(({ length }) => length)).to.deep.equal([32, 32]);
    });

    it('fail alone when one cannot be created', async () => {
      const store = create();
      const before = await stored();
      const failing = () => {
        throw new Error('refused');
      };
      const answers = await Promise.allSettled(
        several(8, (index) =>
          store({ idempotency: request(`fails-${index}`) }, index === 3 ? failing : newEvent),
        ),
      );
      expect(answers.map(({ status }) => status).indexOf('rejected')).to.equal(3);
      expect(await stored()).to.equal(before + 7);
      // The key is free again.
      expect(await store({ idempotency: request('fails-3') }, newEvent)).to.match(/^evt_/);
    });

    it('do not wait for one whose key a killed process has locked, which is stored once that is over', async function soon() {
      this.timeout(25_000);
      const store = create();
      const session = world.database.client.startSession();
      session.startTransaction();
      const _id = createHash('sha256').update('tok_1\nlocked').digest('hex');
      const abandoned = { fingerprint: 'one', claim: 'x', claimedUntil: new Date(), answer: null };
      await world.database.collections.idempotencyKeys.insertOne(
        { _id, ...abandoned, expiresAt: new Date(Date.now() + 60_000) },
        { session },
      );
      const order: string[] = [];
      const before = await stored();
      await Promise.all(
        ['locked', 'free', 'also-free'].map(async (key) => {
          await store({ idempotency: request(key) }, newEvent);
          order.push(key);
        }),
      );
      expect(order.at(-1)).to.equal('locked');
      expect(await stored()).to.equal(before + 3);
      // The server has ended this transaction.
      await session.endSession().catch(() => undefined);
    });
  });
});
