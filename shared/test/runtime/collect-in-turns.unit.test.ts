import { expect } from 'chai';
import { collectInTurns } from '../../src/runtime/collect-in-turns.js';

/** Yields without a turn of the event loop. */
async function* itemsOf<Item>(items: readonly Item[]) {
  yield* items;
}

/** Collects sizes and counts the turns of the event loop meanwhile. */
async function collect(sizes: readonly number[], upTo = 10_000) {
  let turns = 0;
  let timer: NodeJS.Immediate;
  const count = () => {
    turns += 1;
    timer = setImmediate(count);
  };
  timer = setImmediate(count);
  const collected = await collectInTurns(itemsOf(sizes), { sizeOf: (size) => size, atOnce: 100, upTo });
  clearImmediate(timer);
  return { collected, turns };
}

describe('collectInTurns', () => {
  it('collects all items in their order', async () => {
    expect((await collect([70, 3, 150, 1])).collected).to.deep.equal([70, 3, 150, 1]);
  });

  it('lets the event loop turn after each amount of items', async () => {
    expect((await collect(Array.from({ length: 50 }, () => 10))).turns).to.equal(5);
  });

  it('needs no turn for few items', async () => {
    expect((await collect([10, 20, 30])).turns).to.equal(0);
  });

  it('ends after the item with which a size is reached', async () => {
    expect((await collect([40, 30, 30, 10], 100)).collected).to.deep.equal([40, 30, 30]);
    expect((await collect([40, 30, 50, 10], 100)).collected).to.deep.equal([40, 30, 50]);
  });
});
