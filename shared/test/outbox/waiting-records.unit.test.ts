import { expect } from 'chai';
import { createWaitingRecords } from '../../src/outbox/waiting-records.js';
import { aRecord } from './relay-under-test.js';

const LARGE = { text: 'x'.repeat(256 * 1_024) };

describe('waiting outbox records', () => {
  /** Reads records from the store, and notes which. */
  const waitingWithStore = () => {
    const read: string[] = [];
    const waiting = createWaitingRecords(async (ids) => {
      read.push(...ids);
      return ids.map(aRecord);
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
});
