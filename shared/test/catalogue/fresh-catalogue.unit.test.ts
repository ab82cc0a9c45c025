import { expect } from 'chai';
import { createFreshCatalogue } from '../../src/catalogue/fresh-catalogue.js';
import { fixedCatalogue } from '../../src/testing/fixed-catalogue.js';

/** A catalogue with the times, in seconds, at which it was read. */
function aFreshCatalogue() {
  const reads: number[] = [];
  const world = { now: 0, isAway: false };
  const catalogue = fixedCatalogue();
  const fresh = createFreshCatalogue({
    catalogue: {
      async refresh() {
        reads.push(world.now / 1_000);
        if (world.isAway) throw new Error('away');
        return catalogue.current();
      },
    },
    monotonicMs: () => world.now,
    sleep: async (ms) => {
      world.now += ms;
    },
  });
  return Object.assign(world, { fresh, reads });
}

describe('the fresh catalogue', () => {
  it('is read once for calls at the same time, and at most once a second', async () => {
    const { fresh, reads } = aFreshCatalogue();
    expect(fresh.isDue()).to.equal(true);
    await Promise.all([fresh.read(), fresh.read()]);
    expect(fresh.isDue()).to.equal(false);
    await Promise.all([fresh.read(), fresh.read()]);
    expect(reads).to.deep.equal([0, 1]);
  });

  it('is not taken from a read that began before the call', async () => {
    const { fresh, reads } = aFreshCatalogue();
    const first = fresh.read();
    while (reads.length === 0) await Promise.resolve();
    const second = fresh.read();
    expect(second).to.not.equal(first);
    await Promise.all([first, second]);
    expect(reads).to.deep.equal([0, 1]);
  });

  it('is read again after a failure', async () => {
    const world = aFreshCatalogue();
    world.isAway = true;
    expect(await world.fresh.read().catch(String)).to.equal('Error: away');
    world.isAway = false;
    expect(await world.fresh.read()).to.have.property('types');
  });
});
