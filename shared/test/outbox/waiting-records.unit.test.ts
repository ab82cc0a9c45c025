import { expect } from 'chai';
import { MAX_BATCH_SIZE, sizeOf } from '../../src/outbox/batch-size.js';
import { createWaitingRecords } from '../../src/outbox/waiting-records.js';
import type { OutboxRecord } from '../../src/ports/outbox.js';
import { aRecord } from './relay-under-test.js';

const LARGE = { text: 'x'.repeat(256 * 1_024) };

describe('waiting outbox records', () => {
  /** Reads records from the store, and notes which. */
  const waitingWithStore = (stored: ReadonlyMap<string, OutboxRecord> = new Map()) => {
    const read: string[] = [];
    const waiting = createWaitingRecords(async (ids) => {
      read.push(...ids);
      return ids.map((id) => stored.get(id) ?? aRecord(id));
    });
    return { waiting, read };
  };
  const many = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => aRecord(`record ${from + index}`));
  const takeAll = async ({ waiting }: ReturnType<typeof waitingWithStore>) => {
    const taken: string[] = [];
    while (waiting.size() > 0) taken.push(...(await waiting.take(100)).map(({ id }) => id));
    return taken;
  };

  it('keeps 400 small records and reads the others', async () => {
    const store = waitingWithStore();
    store.waiting.add(many(450));
    expect(await takeAll(store)).to.deep.equal(many(450).map(({ id }) => id));
    expect(store.read).to.have.length(50);
  });

  // Regression: 400 records of the largest size were kept, 100 MB.
  it('keeps 16 MiB of large records and reads the others, in order', async () => {
    const store = waitingWithStore();
    store.waiting.add(many(100).map((record) => ({ ...record, value: LARGE })));
    store.waiting.add(many(10, 100));
    expect(await takeAll(store)).to.deep.equal(many(110).map(({ id }) => id));
    expect(store.read).to.deep.equal(many(47, 63).map(({ id }) => id));
  });

  it('keeps records again after they were taken or cleared', async () => {
    const store = waitingWithStore();
    const large = many(60).map((record) => ({ ...record, value: LARGE }));
    store.waiting.add(large);
    await takeAll(store);
    store.waiting.add(large);
    store.waiting.clear();
    store.waiting.add(large);
    expect(await takeAll(store)).to.have.length(60);
    expect(store.read).to.deep.equal([]);
  });

  // Regression: batches of up to 100 large records were refused by the broker, and then published one by one.
  it('takes no more than a broker accepts', async () => {
    const { waiting } = waitingWithStore();
    waiting.add(many(100).map((record) => ({ ...record, value: { text: 'x'.repeat(100 * 1_024) } })));
    waiting.add([aRecord('small')]);
    const batches: (readonly OutboxRecord[])[] = [];
    while (waiting.size() > 0) batches.push(await waiting.take(100));
    const sizes = batches.map((batch) => batch.reduce((sum, record) => sum + sizeOf(record), 0));
    expect(Math.max(...sizes)).to.be.at.most(MAX_BATCH_SIZE);
    expect(batches.map(({ length }) => length)).to.deep.equal([...Array(19).fill(5), 6]);
  });

  it('takes a record that is larger than a batch alone', async () => {
    const { waiting } = waitingWithStore();
    const large = { ...aRecord('large'), value: { text: 'x'.repeat(2 * MAX_BATCH_SIZE) } };
    waiting.add([aRecord('first'), large, aRecord('last')]);
    const batches: string[][] = [];
    while (waiting.size() > 0) batches.push((await waiting.take(100)).map(({ id }) => id));
    expect(batches).to.deep.equal([['first'], ['large'], ['last']]);
  });

  // Regression: a workspace's event waited behind all records that another one had stored before.
  it('takes a record of another key with the next batch, however many and large the others are', async () => {
    const large = many(1_000).map((record) => ({ ...record, value: LARGE }));
    const { waiting } = waitingWithStore(new Map(large.map((record) => [record.id, record])));
    waiting.add(large);
    for (let round = 0; round < 80; round += 1) {
      const other = aRecord(`other ${round}`, 'ws_2');
      waiting.add([other]);
      const taken = [...(await waiting.take(100)), ...(await waiting.take(100))];
      expect(taken.map(({ id }) => id)).to.include(other.id);
    }
  });

  it('leaves half of the room for other keys', async () => {
    const { waiting } = waitingWithStore();
    waiting.add(many(200_000));
    expect(waiting.size()).to.equal(400 + 50_000);
    waiting.add(Array.from({ length: 30_000 }, (_, index) => aRecord(`other ${index}`, 'ws_2')));
    expect(waiting.size()).to.equal(400 + 50_000 + 25_000);
  });

  it('takes the same number of records of each key', async () => {
    const { waiting } = waitingWithStore();
    const keys = ['ws_1', 'ws_2', 'ws_3', 'ws_4'];
    waiting.add(keys.flatMap((key) => many(50).map(({ id }) => aRecord(`${key} ${id}`, key))));
    const taken = Map.groupBy(await waiting.take(100), ({ key }) => key);
    expect([...taken].map(([key, { length }]) => `${key}: ${length}`)).to.deep.equal(
      keys.map((key) => `${key}: 25`),
    );
  });
});
