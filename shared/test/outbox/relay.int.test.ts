import { expect } from 'chai';
import { NotPublished } from '../../src/ports/outbox.js';
import { RecordRefused } from '../../src/ports/queue.js';
import { later } from '../../src/testing/builders.js';
import { eventually } from '../../src/testing/eventually.js';
import { type TestDatabase, testDatabase } from '../../src/testing/test-database.js';
import { CLAIM_MS, type RelaysUnderTest, relaysUnderTest } from './relay-under-test.js';

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `record ${n}`);

describe('outbox relay', () => {
  let database: TestDatabase;
  let relays: RelaysUnderTest;
  before(async () => {
    database = await testDatabase();
  });
  beforeEach(() => {
    relays = relaysUnderTest(database);
  });
  afterEach(async () => {
    await relays.stop();
    await database.clear();
  });
  after(() => database.drop());

  const isEmpty = () => eventually(async () => expect(await relays.left()).to.deep.equal([]));

  describe('with records of its own process', () => {
    it('publishes records that are offered shortly after each other in one batch, and removes them', async () => {
      const { offer } = relays.start({ sweeps: 'never' });
      const records = await relays.commit(['one', 'two', 'three']);
      for (const record of records) offer([record]);
      await isEmpty();
      expect(relays.broker.batches).to.deep.equal([['one', 'two', 'three']]);
    });

    it('publishes batches of a hundred, in the given order', async () => {
      const { offer } = relays.start({ sweeps: 'never' });
      offer(await relays.commit(numbered(250)));
      await isEmpty();
      expect(relays.broker.batches.map(({ length }) => length)).to.deep.equal([100, 100, 50]);
      expect(relays.broker.published()).to.deep.equal(numbered(250));
    });

    it('removes a record only after the broker acknowledged it', async () => {
      const taken = Promise.withResolvers<void>();
      relays.broker.meet(() => taken.promise);
      const relay = relays.start({ sweeps: 'never' });
      relay.offer(await relays.commit(['one']));
      await relay.drain(50);
      expect(await relays.left()).to.deep.equal(['one']);
      taken.resolve();
      await isEmpty();
    });

    // Regression: records beyond a thousand waited for the sweep until their claim had expired, 15 s later.
    it('publishes a burst in its order and without a sweep, however many records wait', async () => {
      const taken = Promise.withResolvers<void>();
      relays.broker.meet(() => taken.promise);
      const { offer } = relays.start({ sweeps: 'never' });
      const records = await relays.commit(numbered(1_500));
      for (const record of records) offer([record]);
      taken.resolve();
      await isEmpty();
      expect(relays.broker.published()).to.deep.equal(numbered(1_500));
    });

    it('publishes buffered records immediately on drain', async () => {
      const relay = relays.start({ sweeps: 'never' });
      relay.offer(await relays.commit(['one', 'two']));
      await relay.drain(5_000);
      expect(await relays.left()).to.deep.equal([]);
      await relay.drain(5_000);
      expect(relays.broker.published()).to.deep.equal(['one', 'two']);
    });

    it('drains and stops within their time limits when the broker hangs, and loses no record', async () => {
      const never = Promise.withResolvers<void>();
      relays.broker.meet(() => never.promise);
      const relay = relays.start({ sweeps: 'never' });
      relay.offer(await relays.commit(['one']));
      const started = performance.now();
      await relay.drain(100);
      expect(performance.now() - started).to.be.within(95, 1_000);
      await relay.stop();
      expect(performance.now() - started).to.be.below(3_000);
      expect(await relays.left()).to.deep.equal(['one']);
    });

    it('publishes no records that are offered after its stop', async () => {
      const relay = relays.start();
      await relay.stop();
      relay.offer(await relays.commit(['one']));
      await relay.drain(100);
      expect([relays.broker.published(), await relays.left()]).to.deep.equal([[], ['one']]);
    });
  });

  describe('sweeping', () => {
    it('publishes a record after the claim of its writer has expired, and not before', async () => {
      await relays.commit(['left behind']);
      relays.start();
      relays.now = later(CLAIM_MS - 1, relays.now);
      await relays.commit(['later']);
      await database.collections.outbox.updateOne({ _id: 'later' }, { $set: { claimedUntil: relays.now } });
      await eventually(() => expect(relays.broker.published()).to.deep.equal(['later']));
      relays.now = later(1, relays.now);
      await isEmpty();
      expect(relays.broker.published()).to.deep.equal(['later', 'left behind']);
    });

    it('publishes each record once despite concurrent sweeps', async () => {
      await relays.commit(numbered(450));
      relays.now = later(CLAIM_MS, relays.now);
      for (let relay = 0; relay < 3; relay += 1) relays.start();
      await isEmpty();
      expect(relays.broker.published()).to.have.length(450).and.to.have.members(numbered(450));
    });

    it('publishes a record whose claim by another relay has expired', async () => {
      await relays.commit(['one']);
      relays.now = later(CLAIM_MS, relays.now);
      const never = Promise.withResolvers<void>();
      relays.broker.meet(() => never.promise);
      const hanging = relays.start();
      await eventually(async () =>
        expect(await database.collections.outbox.findOne()).to.have.property('claim'),
      );
      await hanging.stop();
      relays.broker.meet(async () => undefined);
      relays.start();
      relays.now = later(CLAIM_MS, relays.now);
      await isEmpty();
      expect(relays.broker.published()).to.deep.equal(['one']);
    });
  });

  describe('without a broker', () => {
    it('counts no failure of a record, and publishes all records when the broker is back', async () => {
      let attempts = 0;
      relays.broker.meet(async () => {
        attempts += 1;
        throw new Error('connect ECONNREFUSED');
      });
      const { offer } = relays.start({ claimMs: 0 });
      offer(await relays.commit(numbered(120)));
      relays.now = later(CLAIM_MS, relays.now);
      await eventually(() => expect(attempts).to.be.at.least(20));
      const blamed = { $or: [{ failures: { $gt: 0 } }, { claimedUntil: { $exists: false } }] };
      expect(await database.collections.outbox.countDocuments(blamed)).to.equal(0);
      expect(relays.errors).to.deep.equal([]);
      relays.broker.meet(async () => undefined);
      await isEmpty();
      expect(new Set(relays.broker.published())).to.deep.equal(new Set(numbered(120)));
    });
  });

  describe('with a record that cannot be encoded now', () => {
    it('publishes the others of its batch, and what is offered behind it, and leaves that record to the sweep', async () => {
      relays.broker.meet(async (ids) => {
        if (ids.includes('record 7'))
          throw new NotPublished(new Set(['record 7']), { cause: new Error('no schema') });
      });
      const relay = relays.start({ sweeps: 'never' });
      relay.offer(await relays.commit(numbered(150)));
      await relay.drain(5_000);
      expect(await relays.left()).to.deep.equal(['record 7']);
      const [left] = await database.collections.outbox.find().toArray();
      expect(left).to.include({ failures: 0 });
    });
  });

  describe('with a record that the broker rejects', () => {
    const refuse = (bad: string) =>
      relays.broker.meet(async (ids) => {
        if (ids.includes(bad)) throw new RecordRefused('MESSAGE_TOO_LARGE');
      });

    it('publishes the other records of its batch and counts a failure of that record only', async () => {
      refuse('record 7');
      const relay = relays.start({ sweeps: 'never' });
      relay.offer(await relays.commit(numbered(20)));
      await relay.drain(5_000);
      expect(relays.broker.published()).to.have.members(numbered(20).filter((id) => id !== 'record 7'));
      expect(await relays.left()).to.deep.equal(['record 7']);
      const [blamed] = await database.collections.outbox.find().toArray();
      expect(blamed).to.include({ failures: 1, lastFailure: 'MESSAGE_TOO_LARGE' });
    });

    it('sets the record aside after ten failures and logs an error', async () => {
      refuse('bad');
      await relays.commit(['bad', 'good']);
      relays.now = later(CLAIM_MS, relays.now);
      relays.start({ claimMs: 0 });
      await eventually(() => expect(relays.errors).to.have.length(1));
      expect(relays.errors[0]).to.deep.equal({
        event: 'outbox.set_aside',
        outboxId: 'bad',
        reason: 'MESSAGE_TOO_LARGE',
        traceId: null,
      });
      const [aside] = await database.collections.outbox.find().toArray();
      expect(aside).to.include({ _id: 'bad', failures: 10 }).and.not.to.have.property('claimedUntil');
      await relays.commit(['another']);
      relays.now = later(CLAIM_MS, relays.now);
      await eventually(() => expect(relays.broker.published()).to.include('another'));
      expect(await database.collections.outbox.findOne({ _id: 'bad' })).to.include({ failures: 10 });
      expect(relays.broker.published().filter((id) => id === 'good')).to.deep.equal(['good']);
    });
  });
});
