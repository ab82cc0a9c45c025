import { EVENTS_TOPIC } from '@postrider/shared/ports/topics';
import { expect } from 'chai';
import { createDeferredReads } from '../../src/fan-out/deferred-reads.js';
import { aLog, settleDown } from '../engine/builders.js';

/** Reads two deferred events of different partitions. @returns all delays, in milliseconds */
async function delaysOf(first: { readonly taken: number } | Error, isRoomy: boolean) {
  const delays: number[] = [];
  const places = [0, 1].map((partition) => ({ partition, offset: 7, key: 'a' }));
  const read: number[] = [];
  const readDeferred = createDeferredReads({
    next: () => places.shift() ?? null,
    isAnyWaiting: () => places.length > 0,
    removeBefore: () => [],
    topicOf: () => EVENTS_TOPIC,
    async readAgain({ partition }) {
      read.push(partition);
      if (partition > 0) return { missingBefore: null, taken: 1 };
      if (first instanceof Error) throw first;
      return { missingBefore: null, ...first };
    },
    isRoomy: () => isRoomy,
    lost: () => {},
    isStopping: () => false,
    async sleep(ms) {
      delays.push(ms);
    },
    log: aLog(),
  });
  readDeferred();
  await settleDown();
  expect(read).to.deep.equal([0, 1]);
  return delays;
}

const GATHER_MS = 10;
const PATIENCE_MS = 2_000;

describe('deferred reads', () => {
  for (const [what, taken, isRoomy, delays] of [
    ['waits after a read that took in few of its events', 0.4, false, [40]],
    ['does not wait after a read that took in most of its events', 0.5, false, []],
    ['does not wait while there is much room', 0.4, true, []],
  ] as const)
    it(what, async () => {
      expect(await delaysOf({ taken }, isRoomy)).to.deep.equal([
        GATHER_MS,
        PATIENCE_MS,
        ...delays,
        PATIENCE_MS,
      ]);
    });

  it('does not wait for a partition that cannot be read', async () => {
    const delays = await delaysOf(new Error('no leader'), false);
    expect(delays.filter((ms) => ms === 40)).to.deep.equal([]);
  });
});
