import { expect } from 'chai';
import { inSlices } from '../src/in-slices.js';
import { createTimeBudget } from '../src/time-budget.js';

/** Handles 'a' to 'e' in slices of one character. @param failing the slices that are not done */
async function handle({ failing = '', slices = 9, workers = 1 }) {
  const world = { handled: '', saved: [] as string[], left: slices };
  const isDone = await inSlices({
    range: { from: 'a', before: 'e' },
    endOfSlice: async ({ from }) => String.fromCharCode(from.charCodeAt(0) + 1),
    workers,
    hasTime: () => {
      world.left -= 1;
      return world.left >= 0;
    },
    handle: async ({ from }) => {
      world.handled += from;
      return !failing.includes(from);
    },
    save: async (reached) => void world.saved.push(reached),
  });
  return { isDone, ...world };
}

describe('inSlices', () => {
  it('handles the whole range, and saves what is done after each slice', async () => {
    const { isDone, handled, saved } = await handle({});
    expect([isDone, handled, saved]).to.deep.equal([true, 'abcd', ['b', 'c', 'd', 'e']]);
  });

  it('begins no slice without time', async () => {
    const { isDone, handled, saved } = await handle({ slices: 2 });
    expect([isDone, handled, saved]).to.deep.equal([false, 'ab', ['b', 'c']]);
  });

  it('never saves beyond a slice that is not done, although later ones are', async () => {
    const { isDone, handled, saved } = await handle({ failing: 'b', workers: 2 });
    expect([isDone, handled]).to.deep.equal([false, 'abcd']);
    expect(saved.at(-1)).to.equal('b');
    expect(saved.filter((reached) => reached > 'b')).to.deep.equal([]);
  });

  it('is done with an empty range', async () => {
    const isDone = await inSlices({
      range: { from: 'a', before: 'a' },
      endOfSlice: () => Promise.reject(new Error('no slice begins')),
      workers: 1,
      hasTime: () => true,
      handle: async () => true,
    });
    expect(isDone).to.equal(true);
  });
});

describe('a time budget', () => {
  it('lasts from its creation to its end', () => {
    let now = 1_000;
    const hasTime = createTimeBudget({ monotonicMs: () => now, budgetMs: 50 });
    now = 1_050;
    expect(hasTime()).to.equal(true);
    now = 1_051;
    expect(hasTime()).to.equal(false);
  });
});
