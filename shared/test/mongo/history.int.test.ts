import { expect } from 'chai';
import type { Endpoint } from '../../src/domain/endpoint.js';
import { firstIdAt } from '../../src/domain/id.js';
import { toAttemptDocument } from '../../src/mongo/documents.js';
import { createHistory } from '../../src/mongo/history.js';
import type { IdRange } from '../../src/ports/housekeeping.js';
import {
  aDelivery,
  aFailedDelivery,
  anAttempt,
  anEndpoint,
  aTerminalDelivery,
  idFor,
  later,
  NOON,
  WORKSPACE_ID,
} from '../../src/testing/builders.js';
import { collect } from '../../src/testing/collect.js';
import { profiled } from '../../src/testing/profiled.js';
import { type TestDatabase, testDatabase } from '../../src/testing/test-database.js';

const EXPIRED: IdRange = { from: '', before: firstIdAt('delivery', NOON) };

describe('history', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.clear());
  after(() => database.drop());

  describe('removeExpired', () => {
    /** Stores a delivery created at `at`, with the maximum number of records. */
    async function made(name: string, at: Date) {
      const delivery = aTerminalDelivery('dead_lettered', { id: idFor('delivery', name, at), createdAt: at });
      await database.store({ deliveries: [delivery] });
      const records = [1, 2, 3, 4, 5, 6, 7, 8].map((ordinal) =>
        anAttempt({ deliveryId: delivery.id, ordinal }),
      );
      await database.collections.attempts.insertMany(records.map(toAttemptDocument));
      return delivery.id;
    }
    const left = async () => {
      const { deliveries, attempts } = database.collections;
      const rows = await deliveries.find().sort({ _id: 1 }).toArray();
      return { rows: rows.map(({ _id }) => _id), attempts: await attempts.distinct('deliveryId') };
    };

    it('removes deliveries created before the given time, with all their attempts, and keeps later ones', async () => {
      await made('long ago', later(-86_400_000));
      await made('just before', later(-1));
      const [now, after] = [await made('now', NOON), await made('after', later(1))];
      expect(await createHistory(database).removeExpired(EXPIRED, 100)).to.deep.equal({
        removed: 2,
        last: null,
      });
      expect(await left()).to.deep.equal({ rows: [now, after], attempts: [now, after] });
      expect(await database.collections.attempts.countDocuments()).to.equal(16);
    });

    it('removes up to the limit, the oldest first', async () => {
      const ids = [];
      for (const ago of [3, 1, 2]) ids.push(await made(`${ago}`, later(-ago)));
      const [three, one, two] = ids;
      const { removeExpired } = createHistory(database);
      expect(await removeExpired(EXPIRED, 1)).to.deep.equal({ removed: 1, last: three });
      expect((await left()).rows)
        .to.deep.equal([two, one])
        .and.not.to.include(three);
      expect(await removeExpired({ ...EXPIRED, from: one! }, 2)).to.deep.equal({ removed: 1, last: null });
      expect(await removeExpired(EXPIRED, 2)).to.deep.equal({ removed: 1, last: null });
      expect(await removeExpired(EXPIRED, 2)).to.deep.equal({ removed: 0, last: null });
      expect(await left()).to.deep.equal({ rows: [], attempts: [] });
    });

    it('removes deliveries with any terminal status', async () => {
      const ended = (['delivered', 'failed_permanent', 'dead_lettered'] as const).map((status) =>
        aTerminalDelivery(status, { id: idFor('delivery', status, later(-1)) }),
      );
      await database.store({ deliveries: ended });
      expect(await createHistory(database).removeExpired(EXPIRED, 100)).to.deep.equal({
        removed: 3,
        last: null,
      });
    });

    // Regression: with a retention shorter than an outage, the cleanup removed deliveries that were still due.
    it('keeps due deliveries with their attempts and removes newer ones that have ended', async () => {
      const waiting = aDelivery({ id: idFor('delivery', 'forgotten', later(-3)) });
      const retried = aFailedDelivery(2, { id: idFor('delivery', 'failed', later(-2)) });
      await database.store({ deliveries: [waiting, retried] });
      const records = [1, 2].map((ordinal) => anAttempt({ deliveryId: retried.id, ordinal }));
      await database.collections.attempts.insertMany(records.map(toAttemptDocument));
      const last = await made('ended', later(-1));
      expect(await createHistory(database).removeExpired(EXPIRED, 1)).to.deep.equal({ removed: 1, last });
      expect(await createHistory(database).removeExpired(EXPIRED, 1)).to.deep.equal({
        removed: 0,
        last: null,
      });
      expect(await left()).to.deep.equal({ rows: [waiting.id, retried.id], attempts: [retried.id] });
    });

    it('removes each delivery once when two processes clean up concurrently', async () => {
      for (let n = 1; n <= 6; n += 1) await made(`${n}`, later(-n));
      const passes = await Promise.all([1, 2].map(() => createHistory(database).removeExpired(EXPIRED, 100)));
      expect(passes.reduce((sum, { removed }) => sum + removed, 0)).to.equal(6);
      expect(await left()).to.deep.equal({ rows: [], attempts: [] });
    });
  });

  it('ends a slice behind as many deliveries as stated, due ones included, and reads their identifiers only', async () => {
    const deliveries = [-3, -2, -1].map((ago) => aDelivery({ id: idFor('delivery', `${ago}`, later(ago)) }));
    await database.store({ deliveries });
    const { endOfSlice } = createHistory(database);
    const operations = await profiled(database.db, async () => {
      expect(await endOfSlice(EXPIRED, 2)).to.equal(deliveries[2]?.id);
      expect(await endOfSlice({ ...EXPIRED, from: deliveries[1]!.id }, 2)).to.equal(EXPIRED.before);
      expect(await endOfSlice({ from: '', before: deliveries[2]!.id }, 2)).to.equal(deliveries[2]?.id);
    });
    expect(operations.map(({ docsExamined }) => docsExamined)).to.deep.equal([0, 0, 0]);
  });

  it('removes the events of a slice and no others', async () => {
    const { unmatchedEvents } = database.collections;
    const ids = [-4, -3, -2, -1].map((ago) => idFor('event', `${ago}`, later(ago)));
    const event = { workspaceId: WORKSPACE_ID, type: 'billing.plan_changed', occurredAt: NOON };
    await unmatchedEvents.insertMany(ids.map((_id) => ({ _id, ...event })));
    const { endOfEventSlice, removeUnmatchedEvents } = createHistory(database);
    const expired = { from: firstIdAt('event', later(-9)), before: firstIdAt('event', later(-1)) };
    const before = await endOfEventSlice(expired, 2);
    expect(before).to.equal(ids[2]);
    expect(await removeUnmatchedEvents({ ...expired, before })).to.equal(2);
    expect(await endOfEventSlice({ ...expired, from: before }, 2)).to.equal(expired.before);
    expect((await unmatchedEvents.find().toArray()).map(({ _id }) => _id)).to.deep.equal(ids.slice(2));
  });

  describe('tombstones', () => {
    const tombstone = (name: string, deletedAt: Date | null = later(-1_000)) =>
      anEndpoint({ id: idFor('endpoint', name), deletedAt, enabled: deletedAt === null });
    const deliveryOf = (name: string) =>
      aDelivery({ id: idFor('delivery', name), endpointId: idFor('endpoint', name) });
    const left = async () => (await database.collections.endpoints.find().toArray()).map(({ _id }) => _id);

    const pages = (before: Date, limit: number) => collect(createHistory(database).tombstones(before, limit));
    const remove = (...endpoints: readonly Endpoint[]) =>
      createHistory(database).removeTombstones(endpoints.map(({ id }) => id));

    it('removes a deleted endpoint after its last delivery, and keeps endpoints that are not deleted', async () => {
      const [bare, owing, living] = [tombstone('bare'), tombstone('owing'), tombstone('living', null)];
      await database.store({ endpoints: [bare, owing, living], deliveries: [deliveryOf('owing')] });
      expect(await remove(bare, owing, living)).to.equal(1);
      expect(await left()).to.have.members([owing.id, living.id]);
      await database.collections.deliveries.deleteMany({});
      expect(await remove(owing, living)).to.equal(1);
      expect(await left()).to.deep.equal([living.id]);
      expect(await remove(living)).to.equal(0);
    });

    // Regression: all deleted endpoints were examined in each run, those of the last month too.
    it('are those that were deleted before a time, the first ones first, and no others are examined', async () => {
      const [first, then] = [tombstone('c', later(-5_000)), tombstone('a', later(-4_000))];
      const recent = ['d', 'e', 'f', 'g'].map((name) => tombstone(name, later(-1_000)));
      await database.store({ endpoints: [...recent, then, first, tombstone('living', null)] });
      const operations = await profiled(database.db, async () => {
        expect(await pages(later(-2_000), 1)).to.deep.equal([[first.id], [then.id]]);
      });
      expect(operations.map(({ docsExamined }) => docsExamined)).to.deep.equal([2]);
      expect(await pages(later(-2_000), 2)).to.deep.equal([[first.id, then.id]]);
      expect(await pages(later(-9_000), 2)).to.deep.equal([]);
    });

    it('are checked at the same cost with many deliveries as with a single one', async () => {
      const names = ['a', 'b', 'c'];
      const many = names.flatMap((name) =>
        Array.from({ length: 100 }, (_, n) => ({
          ...deliveryOf(name),
          id: idFor('delivery', `${name} ${n}`),
        })),
      );
      const endpoints = names.map((name) => tombstone(name));
      await database.store({ endpoints, deliveries: many });
      const [query] = await profiled(database.db, async () => {
        expect(await remove(...endpoints)).to.equal(0);
      });
      expect(query?.keysExamined).to.be.at.most(6);
    });
  });
});
