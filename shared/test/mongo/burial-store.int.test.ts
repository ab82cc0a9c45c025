import { expect } from 'chai';
import { bury } from '../../src/domain/bury.js';
import type { Delivery } from '../../src/domain/delivery.js';
import { burialStore } from '../../src/mongo/burial-store.js';
import { fromDocument } from '../../src/mongo/documents.js';
import { aFailedDelivery, aFailingEndpoint, ENDPOINT_ID, idFor, later, NOON, TRACE_ID } from '../builders.js';
import { offers, type TestDatabase, testDatabase } from './test-database.js';

const FAILING_SINCE = later(-60_000);

describe('the burial store', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.clear());
  after(() => database.drop());

  const clock = { now: () => NOON };
  function burying() {
    const { relay, offered } = offers();
    const store = burialStore({ database, relay, clock, outboxClaimMs: 15_000 });
    const buryOne = ({ id }: Pick<Delivery, 'id'>) =>
      store.bury({ deliveryId: id, endpointId: ENDPOINT_ID }, ({ delivery, endpoint }) =>
        bury(delivery, endpoint, NOON),
      );
    return { buryOne, offered };
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

  it('ends the row, leaves its record, stores the notification and promises to tell, at once', async () => {
    const [row, endpoint] = [exhausted('one'), aFailingEndpoint(9)];
    await database.store({ deliveries: [row], endpoints: [endpoint] });
    const { buryOne, offered } = burying();
    const records = await buryOne(row);
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
    const [promised] = await database.collections.outbox.find().toArray();
    expect(promised).to.deep.include({ _id: notification?._id, claimedUntil: later(15_000), failures: 0 });
    expect(promised?.headers.traceparent).to.include(TRACE_ID);
    expect(offered).to.deep.equal(records).and.have.length(1);
  });

  it('leaves the endpoint as it is', async () => {
    const [row, endpoint] = [exhausted('one'), aFailingEndpoint(9)];
    await database.store({ deliveries: [row], endpoints: [endpoint] });
    await burying().buryOne(row);
    const stored = await database.collections.endpoints.findOne();
    expect(stored && fromDocument(stored)).to.deep.equal(endpoint);
  });

  it('announces an outage once, however many deliveries it buries at the same time', async () => {
    const rows = Array.from({ length: 8 }, (_, n) => exhausted(`${n}`));
    await database.store({ deliveries: rows, endpoints: [aFailingEndpoint(9)] });
    const [one, other] = [burying(), burying()];
    await Promise.all(rows.map((row, n) => (n % 2 === 0 ? one : other).buryOne(row)));
    expect(await written()).to.deep.equal({ attempts: 8, notifications: 1, outbox: 1 });
    expect([...one.offered, ...other.offered]).to.have.length(1);
    expect(await database.collections.deliveries.countDocuments({ status: 'dead_lettered' })).to.equal(8);
  });

  it('announces the next outage again', async () => {
    const [first, second] = [exhausted('first'), exhausted('second', later(3_600_000))];
    await database.store({ deliveries: [first, second], endpoints: [aFailingEndpoint(9)] });
    const { buryOne } = burying();
    await buryOne(first);
    await buryOne(second);
    expect(await written()).to.deep.equal({ attempts: 2, notifications: 2, outbox: 2 });
  });

  it('changes nothing for a second message, also at the same time', async () => {
    const row = exhausted('one');
    await database.store({ deliveries: [row], endpoints: [aFailingEndpoint(9)] });
    await Promise.all([burying().buryOne(row), burying().buryOne(row)]);
    const before = await database.row(row.id);
    const { buryOne, offered } = burying();
    expect(await buryOne(row)).to.deep.equal([]);
    expect(await database.row(row.id)).to.deep.equal(before);
    expect(await written()).to.deep.equal({ attempts: 1, notifications: 1, outbox: 1 });
    expect(offered).to.deep.equal([]);
  });

  it('changes nothing for a row that is gone, or that still has attempts left', async () => {
    const early = aFailedDelivery(6);
    await database.store({ deliveries: [early], endpoints: [aFailingEndpoint(9)] });
    const { buryOne, offered } = burying();
    await buryOne(early);
    await buryOne({ id: idFor('delivery', 'gone') });
    expect(await database.row(early.id)).to.deep.include({
      status: 'failed',
      attempts: 6,
      dueAt: early.dueAt,
    });
    expect(await written()).to.deep.equal({ attempts: 0, notifications: 0, outbox: 0 });
    expect(offered).to.deep.equal([]);
  });

  it('buries what is left of an endpoint that is gone', async () => {
    const row = exhausted('one');
    await database.store({ deliveries: [row] });
    await burying().buryOne(row);
    expect(await database.row(row.id)).to.include({ status: 'dead_lettered' });
    const [notification] = await database.collections.notifications.find().toArray();
    expect(notification?.message).to.include(ENDPOINT_ID);
  });
});
