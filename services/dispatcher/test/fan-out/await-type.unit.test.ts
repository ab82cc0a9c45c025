import { anEventType, fixedCatalogue } from '@postrider/shared/testing/fixed-catalogue';
import { expect } from 'chai';
import { createAwaitType } from '../../src/fan-out/await-type.js';

/** A catalogue, and a clock that pauses advance. */
function aWait({ onPause = (_seconds: number) => {} } = {}) {
  const catalogue = fixedCatalogue();
  let now = 0;
  const pause = async (ms: number) => {
    now += ms;
    onPause(now / 1_000);
  };
  return { catalogue, awaitType: createAwaitType({ catalogue, now: () => now, pause }), now: () => now };
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
    expect(await wait.awaitType('invoice.paid')).to.not.equal(null);
    expect(wait.now()).to.equal(30_000);
  });

  it('ends after a minute, once for each type', async () => {
    const { awaitType, now, catalogue } = aWait();
    const [first, second] = [awaitType('invoice.lost'), awaitType('invoice.lost')];
    expect(first).to.equal(second);
    expect(await first).to.equal(null);
    expect(now()).to.equal(60_000);
    expect(awaitType('invoice.lost')).to.equal(null);
    catalogue.set([anEventType({ name: 'invoice.lost' })]);
    expect(awaitType('invoice.lost')).to.not.equal(null);
  });

  it('waits for a bounded number of names', async () => {
    const { awaitType } = aWait();
    await Promise.all(Array.from({ length: 1_000 }, (_, index) => awaitType(`unknown.t${index}`)));
    expect(awaitType('one.more')).to.equal(null);
  });
});
