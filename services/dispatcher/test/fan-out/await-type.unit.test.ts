import type { StoredEventType } from '@postrider/shared/catalogue/event-type-definition';
import { createFreshCatalogue } from '@postrider/shared/catalogue/fresh-catalogue';
import { anEventType, fixedCatalogue } from '@postrider/shared/testing/fixed-catalogue';
import { expect } from 'chai';
import { createAwaitType } from '../../src/fan-out/await-type.js';

/** A catalogue, and a clock that pauses advance. */
function aWait({ onPause = (_seconds: number) => {} } = {}) {
  const catalogue = fixedCatalogue();
  let now = 0;
  const sleep = async (ms: number) => {
    now += ms;
    onPause(now / 1_000);
  };
  const time = { monotonicMs: () => now, sleep };
  const stored = { types: [] as StoredEventType[], isAway: false };
  const reading = {
    async refresh() {
      if (stored.isAway) throw new Error('away');
      if (stored.types.length > 0) catalogue.set(stored.types);
      return catalogue.current();
    },
  };
  const fresh = createFreshCatalogue({ catalogue: reading, ...time });
  const awaitType = createAwaitType({ catalogue, fresh, ...time });
  const later = async (name: string) => {
    const type = awaitType(name);
    return 'later' in type ? type.later() : type;
  };
  return { catalogue, stored, awaitType, later, monotonicMs: () => now };
}

describe('waiting for an event type', () => {
  it('ends at once for a known type', () => {
    const { catalogue, awaitType } = aWait();
    catalogue.set([anEventType()]);
    expect(awaitType('invoice.paid')).to.include({
      definition: catalogue.current().types.get('invoice.paid')?.definition,
    });
  });

  it('ends when the type is known', async () => {
    const wait = aWait({ onPause: (seconds) => seconds === 30 && wait.catalogue.set([anEventType()]) });
    expect(await wait.later('invoice.paid')).to.not.equal(null);
    expect(wait.monotonicMs()).to.equal(30_000);
  });

  it('ends after a minute, once for each type', async () => {
    const { awaitType, later, monotonicMs } = aWait();
    const [first, second] = [awaitType('invoice.lost'), awaitType('invoice.lost')];
    expect(first).to.equal(second);
    expect(await later('invoice.lost')).to.equal(null);
    expect(monotonicMs()).to.equal(60_000);
    expect(await later('invoice.lost')).to.equal(null);
    expect(monotonicMs()).to.equal(61_000);
  });

  it('finds a type that was added after its name had stayed unknown', async () => {
    const { later, stored } = aWait();
    expect(await later('invoice.lost')).to.equal(null);
    stored.types = [anEventType({ name: 'invoice.lost' })];
    expect(await later('invoice.lost')).to.have.property('definition');
  });

  it('gives no name up while the database is away', async () => {
    const { awaitType, stored } = aWait();
    stored.isAway = true;
    const type = awaitType('invoice.paid') as { later: () => Promise<unknown> };
    expect(await type.later().catch(String)).to.equal('Error: away');
    stored.isAway = false;
    stored.types = [anEventType()];
    expect(await type.later()).to.have.property('definition');
  });

  // Events of a type that wait share one wait.
  const doesWait = (awaitType: (name: string) => object) => {
    const [first, second] = [awaitType('one.more'), awaitType('one.more')];
    return first === second;
  };

  it('waits for a bounded number of names at a time', async () => {
    const { awaitType, later } = aWait();
    const waiting = Array.from({ length: 1_000 }, (_, index) => later(`unknown.t${index}`));
    expect(doesWait(awaitType)).to.equal(false);
    await Promise.all(waiting);
  });

  it('waits for a name after any number of others stayed unknown', async () => {
    const { awaitType, later } = aWait();
    for (let round = 0; round < 2; round += 1)
      await Promise.all(Array.from({ length: 600 }, (_, index) => later(`unknown.t${round}_${index}`)));
    expect(doesWait(awaitType)).to.equal(true);
  });
});
