import { expect } from 'chai';
import type { Collections } from '../../src/mongo/collections.js';
import { appendToOutbox, createOutboxStore } from '../../src/mongo/outbox-store.js';
import { inTransaction } from '../../src/mongo/transaction.js';
import type { OutboxRecord } from '../../src/ports/outbox.js';
import { later, NOON } from '../../src/testing/builders.js';
import { type TestDatabase, testDatabase } from '../../src/testing/test-database.js';

const SECOND = 1_000;

/** Identified by its name. */
function aRecord(name: string): OutboxRecord {
  return {
    id: name,
    topic: 'workspace.events',
    key: 'ws_1',
    headers: { ce_id: name },
    subject: null,
    value: { name },
  };
}

/** The collection, which waits for `wait` before it updates anything. */
function beforeUpdating(outbox: Collections['outbox'], wait: () => Promise<void>): Collections['outbox'] {
  return new Proxy(outbox, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name);
      if (typeof own !== 'function') return own;
      return name === 'updateMany'
        ? (...args: unknown[]) => wait().then(() => own.apply(target, args))
        : own.bind(target);
    },
  });
}

describe('outbox store', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.clear());
  after(() => database.drop());

  const store = () => createOutboxStore(database.collections);
  const appendAll = (records: readonly OutboxRecord[], claimedUntil = NOON) =>
    inTransaction(database.client, (session) =>
      appendToOutbox(database.collections, records, { claimedUntil, session }),
    );
  const claim = async (now: Date, { limit = 100, until = later(15 * SECOND, now) } = {}) =>
    (await store().claim(limit, now, until)).map(({ id }) => id);
  const named = (count: number) => Array.from({ length: count }, (_, n) => aRecord(`record ${n}`));

  it('returns an appended record after the claim of its writer has expired', async () => {
    await appendAll([aRecord('one')], later(15 * SECOND));
    expect(await claim(later(15 * SECOND - 1))).to.deep.equal([]);
    expect(await store().claim(100, later(15 * SECOND), later(30 * SECOND))).to.deep.equal([aRecord('one')]);
  });

  // Records of a writer that was killed while the database's clock was an hour ahead would otherwise wait for that hour.
  it('returns a record that is claimed for longer than any can be, and counts it as due from then on', async () => {
    await appendAll([aRecord('one'), aRecord('two')], later(3_600 * SECOND));
    await appendAll([aRecord('longest')], later(600 * SECOND));
    expect(await claim(NOON, { until: later(15 * SECOND) })).to.have.members(['one', 'two']);
    const { outbox } = database.collections;
    expect((await outbox.findOne({ _id: 'one' }))?.dueAt).to.deep.equal(later(15 * SECOND));
    expect(await claim(later(15 * SECOND), { limit: 1, until: later(60 * SECOND) })).to.have.length(1);
    const dueTimes = (await outbox.find({ _id: { $ne: 'longest' } }).toArray()).map(({ dueAt }) => dueAt);
    expect(dueTimes).to.deep.equal([later(15 * SECOND), later(15 * SECOND)]);
  });

  it('finds when the first claim expires, without the records that were set aside', async () => {
    expect(await store().nextExpiry()).to.equal(null);
    await appendAll([aRecord('bad')], later(SECOND));
    await appendAll([aRecord('late')], later(20 * SECOND));
    await appendAll([aRecord('early')], later(15 * SECOND));
    await store().setAside('bad');
    expect(await store().nextExpiry()).to.deep.equal(later(15 * SECOND));
  });

  it('appends nothing if the transaction is rolled back', async () => {
    const broken = inTransaction(database.client, async (session) => {
      await appendToOutbox(database.collections, [aRecord('one')], { claimedUntil: NOON, session });
      throw new Error('the mutation was refused');
    });
    await broken.catch(() => undefined);
    expect(await claim(NOON)).to.deep.equal([]);
  });

  it('keeps the first of two records with the same id', async () => {
    await appendAll([aRecord('one')]);
    await appendAll([{ ...aRecord('one'), value: { name: 'again' } }], later(SECOND));
    expect(await store().claim(100, NOON, later(SECOND))).to.deep.equal([aRecord('one')]);
  });

  it('keeps the first record of each id in a batch, and those that are stored', async () => {
    const other = (id: string) => ({ ...aRecord(id), value: { name: 'again' } });
    await appendAll([aRecord('one')]);
    await appendAll([other('one'), aRecord('two'), other('two'), aRecord('three')]);
    const stored = await store().claim(100, NOON, later(SECOND));
    expect(stored.toSorted((a, b) => (a.id < b.id ? -1 : 1))).to.deep.equal(
      ['one', 'three', 'two'].map((id) => aRecord(id)),
    );
  });

  it('appends the same batch in two transactions at once', async () => {
    const batch = named(50);
    await Promise.all([appendAll(batch), appendAll(batch), appendAll(batch.toReversed())]);
    expect(await database.collections.outbox.countDocuments()).to.equal(50);
  });

  it('appends nothing for an empty list', async () => {
    await appendAll([]);
    expect(await database.collections.outbox.countDocuments()).to.equal(0);
  });

  it('does not return a claimed record until its claim expires', async () => {
    await appendAll([aRecord('one')]);
    expect(await claim(NOON, { until: later(SECOND) })).to.deep.equal(['one']);
    expect(await claim(later(SECOND - 1))).to.deep.equal([]);
    expect(await claim(later(SECOND))).to.deep.equal(['one']);
  });

  it('finds records by id in the given order, without those that are removed or that a sweep has claimed', async () => {
    await appendAll([aRecord('one')], later(-SECOND));
    await claim(NOON);
    await appendAll([aRecord('two'), aRecord('three'), aRecord('four')]);
    const store = createOutboxStore(database.collections);
    await store.remove(['three']);
    const found = await store.findUnclaimed(['four', 'three', 'two', 'one']);
    expect(found).to.deep.equal([aRecord('four'), aRecord('two')]);
  });

  it('claims the oldest records first', async () => {
    await appendAll([aRecord('younger')], later(-SECOND));
    await appendAll([aRecord('older')], later(-2 * SECOND));
    expect(await claim(NOON, { limit: 1 })).to.deep.equal(['older']);
    expect(await claim(NOON, { limit: 1 })).to.deep.equal(['younger']);
  });

  it('returns each record to one of several concurrent claims', async () => {
    await appendAll(named(60));
    const shares = await Promise.all(Array.from({ length: 6 }, () => claim(NOON, { limit: 40 })));
    const claimed = shares.flat();
    expect(new Set(claimed).size).to.equal(claimed.length);
    const rest = await claim(NOON);
    expect([...claimed, ...rest]).to.have.members(named(60).map(({ id }) => id));
  });

  it('returns nothing to a claim whose records another process claimed meanwhile', async () => {
    await appendAll(named(3));
    const looked = Promise.withResolvers<void>();
    const mayClaim = Promise.withResolvers<void>();
    const outbox = beforeUpdating(database.collections.outbox, () => {
      looked.resolve();
      return mayClaim.promise;
    });
    const late = createOutboxStore({ ...database.collections, outbox }).claim(100, NOON, later(SECOND));
    await looked.promise;
    expect(await claim(NOON)).to.have.length(3);
    mayClaim.resolve();
    expect(await late).to.deep.equal([]);
  });

  it('removes the given records only', async () => {
    await appendAll(named(3));
    await store().remove(['record 0', 'record 2', 'unheard of']);
    expect(await claim(NOON)).to.deep.equal(['record 1']);
  });

  it('counts the failures of a record and stores the last reason', async () => {
    await appendAll([aRecord('one')]);
    expect(await store().countFailure('one', 'INVALID_RECORD')).to.equal(1);
    expect(await store().countFailure('one', 'MESSAGE_TOO_LARGE')).to.equal(2);
    expect(await database.collections.outbox.findOne()).to.include({
      failures: 2,
      lastFailure: 'MESSAGE_TOO_LARGE',
    });
    expect(await store().countFailure('gone', 'INVALID_RECORD')).to.equal(0);
  });

  it('does not return a record that was set aside, and keeps it stored', async () => {
    await appendAll(named(2));
    await store().setAside('record 0');
    expect(await claim(later(86_400 * SECOND))).to.deep.equal(['record 1']);
    expect(await database.collections.outbox.findOne({ _id: 'record 0' })).to.deep.include({
      value: { name: 'record 0' },
    });
  });
});
