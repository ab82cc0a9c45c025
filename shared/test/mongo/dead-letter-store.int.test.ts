import { expect } from 'chai';
import { deadLetterAll } from '../../src/domain/dead-letter-all.js';
import type { Delivery } from '../../src/domain/delivery.js';
import { createDeadLetterStore } from '../../src/mongo/dead-letter-store.js';
import { fromDocument } from '../../src/mongo/documents.js';
import {
  aFailedDelivery,
  aFailingEndpoint,
  ENDPOINT_ID,
  idFor,
  later,
  NOON,
  TRACE_ID,
} from '../../src/testing/builders.js';
import { offers, type TestDatabase, testDatabase } from '../../src/testing/test-database.js';

const FAILING_SINCE = later(-60_000);

describe('deadLetterStore', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.clear());
  after(() => database.drop());

  const clock = { now: () => NOON };
  function aStore() {
    const { relay, offered } = offers();
    const store = createDeadLetterStore({ database, relay, clock, outboxClaimMs: 15_000 });
    const settleAll = (...rows: readonly Pick<Delivery, 'id'>[]) => {
      const letters = rows.map(({ id }) => ({ deliveryId: id, endpointId: ENDPOINT_ID }));
      return store.settle(letters, (stored) => deadLetterAll(stored, letters, NOON));
    };
    return { settleAll, offered };
  }
  const exhausted = (name: string, failingSince = FAILING_SINCE) =>
    aFailedDelivery(7, { id: idFor('delivery', name), failingSince });
  const written = async () => {
    const { attempts, notifications, outbox } = database.collections;
    const [evidence, notes, records] = await Promise.all(
      [attempts, notifications, outbox].map((one) => one.countDocuments()),
    );
    return { attempts: evidence, notifications: notes, outbox: records };
  };

  it('ends the row and stores its record, the notification and the outbox record in one transaction', async () => {
    const [row, endpoint] = [exhausted('one'), aFailingEndpoint(9)];
    await database.store({ deliveries: [row], endpoints: [endpoint] });
    const { settleAll, offered } = aStore();
    const { records } = await settleAll(row);
    const { lastAttempt } = row;
    const stored = await database.row(row.id);
    expect(stored).to.deep.include({
      status: 'dead_lettered',
      attempts: 7,
      nextAttemptAt: null,
      lastAttempt,
    });
    expect(stored).not.to.have.property('dueAt');
    const [attempt] = await database.collections.attempts.find().toArray();
    expect(attempt).to.include({
      _id: `${row.id}:8`,
      ordinal: 8,
      httpStatus: null,
      durationMs: null,
      streak: null,
    });
    const [notification] = await database.collections.notifications.find().toArray();
    expect(notification?.data).to.deep.equal({
      deliveryId: row.id,
      failingSince: FAILING_SINCE.toISOString(),
    });
    const [appended] = await database.collections.outbox.find().toArray();
    expect(appended).to.deep.include({ _id: notification?._id, claimedUntil: later(15_000), failures: 0 });
    expect(appended?.headers.traceparent).to.include(TRACE_ID);
    expect(offered).to.deep.equal(records).and.have.length(1);
  });

  it('does not change the endpoint', async () => {
    const [row, endpoint] = [exhausted('one'), aFailingEndpoint(9)];
    await database.store({ deliveries: [row], endpoints: [endpoint] });
    await aStore().settleAll(row);
    const stored = await database.collections.endpoints.findOne();
    expect(stored && fromDocument(stored)).to.deep.equal(endpoint);
  });

  it('announces an outage once when many of its deliveries end concurrently', async () => {
    const rows = Array.from({ length: 8 }, (_, n) => exhausted(`${n}`));
    await database.store({ deliveries: rows, endpoints: [aFailingEndpoint(9)] });
    const [one, other] = [aStore(), aStore()];
    const pairs = [0, 2, 4, 6].map((n) => rows.slice(n, n + 2));
    await Promise.all(pairs.map((pair, n) => (n % 2 === 0 ? one : other).settleAll(...pair)));
    expect(await written()).to.deep.equal({ attempts: 8, notifications: 1, outbox: 1 });
    expect([...one.offered, ...other.offered]).to.have.length(1);
    expect(await database.collections.deliveries.countDocuments({ status: 'dead_lettered' })).to.equal(8);
  });

  it('announces the next outage of the same endpoint', async () => {
    const [first, second] = [exhausted('first'), exhausted('second', later(3_600_000))];
    await database.store({ deliveries: [first, second], endpoints: [aFailingEndpoint(9)] });
    const { settleAll } = aStore();
    await settleAll(first, second);
    expect(await written()).to.deep.equal({ attempts: 2, notifications: 2, outbox: 2 });
  });

  it('changes nothing for a duplicate message, concurrent or later', async () => {
    const row = exhausted('one');
    await database.store({ deliveries: [row], endpoints: [aFailingEndpoint(9)] });
    await Promise.all([aStore().settleAll(row), aStore().settleAll(row)]);
    const before = await database.row(row.id);
    const { settleAll, offered } = aStore();
    expect(await settleAll(row)).to.deep.equal({ settlements: [null], records: [] });
    expect(await database.row(row.id)).to.deep.equal(before);
    expect(await written()).to.deep.equal({ attempts: 1, notifications: 1, outbox: 1 });
    expect(offered).to.deep.equal([]);
  });

  it('changes nothing for a row that is gone, or that still has attempts left', async () => {
    const early = aFailedDelivery(6);
    await database.store({ deliveries: [early], endpoints: [aFailingEndpoint(9)] });
    const { settleAll, offered } = aStore();
    await settleAll(early);
    await settleAll({ id: idFor('delivery', 'gone') });
    expect(await database.row(early.id)).to.deep.include({
      status: 'failed',
      attempts: 6,
      dueAt: early.dueAt,
    });
    expect(await written()).to.deep.equal({ attempts: 0, notifications: 0, outbox: 0 });
    expect(offered).to.deep.equal([]);
  });

  it('ends the other deliveries of a group, each of them once', async () => {
    const [one, other, early] = [exhausted('one'), exhausted('other'), aFailedDelivery(6)];
    await database.store({ deliveries: [one, other, early], endpoints: [aFailingEndpoint(9)] });
    const { settlements, records } = await aStore().settleAll(one, early, other, one);
    expect(settlements.map((settlement) => settlement?.delivery.id ?? null)).to.deep.equal([
      one.id,
      null,
      other.id,
      null,
    ]);
    expect(records.map(({ value }) => (value as { data: object }).data)).to.deep.equal([
      { deliveryId: one.id, failingSince: FAILING_SINCE.toISOString() },
    ]);
    expect(await written()).to.deep.equal({ attempts: 2, notifications: 1, outbox: 1 });
  });

  it('writes nothing of a group if the database rejects one of its rows', async () => {
    const rows = ['one', 'refused'].map((name) => exhausted(name));
    await database.store({ deliveries: rows, endpoints: [aFailingEndpoint(9)] });
    const validate = (validator: object) => database.db.command({ collMod: 'deliveries', validator });
    await validate({ _id: { $ne: rows[1]!.id } });
    const { settleAll, offered } = aStore();
    const error: unknown = await settleAll(...rows).catch((one: unknown) => one);
    await validate({});
    expect(error).to.be.an('error');
    expect(await written()).to.deep.equal({ attempts: 0, notifications: 0, outbox: 0 });
    expect(offered).to.deep.equal([]);
  });

  it('ends a delivery whose endpoint is gone', async () => {
    const row = exhausted('one');
    await database.store({ deliveries: [row] });
    await aStore().settleAll(row);
    expect(await database.row(row.id)).to.include({ status: 'dead_lettered' });
    const [notification] = await database.collections.notifications.find().toArray();
    expect(notification?.message).to.include(ENDPOINT_ID);
  });
});
