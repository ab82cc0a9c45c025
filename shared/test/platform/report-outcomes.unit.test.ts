import { expect } from 'chai';
import { createdOutcomes, type DeliveryOutcome } from '../../src/domain/delivery-outcome.js';
import { createOutcomeReporter } from '../../src/platform/report-outcomes.js';
import { aDelivery, NOON } from '../../src/testing/builders.js';
import { eventually } from '../../src/testing/eventually.js';

const [OUTCOME] = createdOutcomes([aDelivery()], NOON) as [DeliveryOutcome];
const many = (count: number) => Array.from({ length: count }, () => OUTCOME);

describe('outcome reporter', () => {
  function reporter(publish: (outcomes: readonly DeliveryOutcome[]) => Promise<void> = async () => {}) {
    const world = {
      batches: [] as number[],
      counts: { published: 0, dropped: 0 },
      logged: [] as { dropped?: number }[],
      now: 0,
    };
    const note = (facts: object) => void world.logged.push(facts);
    const made = createOutcomeReporter({
      async publish(outcomes) {
        world.batches.push(outcomes.length);
        await publish(outcomes);
      },
      log: { debug: note, info: note, warn: note, error: note },
      monotonicMs: () => world.now,
    });
    made.countWith((result, count) => {
      world.counts[result] += count;
    });
    return { ...made, world };
  }

  it('publishes what is reported within a moment in one batch', async () => {
    const { report, close, world } = reporter();
    for (let n = 0; n < 3; n += 1) report([OUTCOME]);
    await eventually(() => expect(world.batches).to.deep.equal([3]));
    expect(world.counts).to.deep.equal({ published: 3, dropped: 0 });
    await close(100);
  });

  it('publishes a full batch at once, and the next one when the first has ended', async () => {
    const gates: (() => void)[] = [];
    const { report, close, world } = reporter(() => new Promise((resolve) => gates.push(resolve)));
    report(many(2_200));
    expect(world.batches).to.deep.equal([1_000]);
    gates.shift()!();
    await eventually(() => expect(world.batches).to.deep.equal([1_000, 1_000]));
    const closed = close(10_000);
    gates.shift()!();
    await eventually(() => expect(world.batches).to.deep.equal([1_000, 1_000, 200]));
    gates.shift()!();
    await closed;
    expect(world.counts.published).to.equal(2_200);
  });

  it('drops what does not fit while the broker is slow, and logs the sum once a minute', async () => {
    const { report, close, world } = reporter(() => new Promise(() => {}));
    report(many(1_000));
    report(many(10_001));
    report(many(7));
    expect(world.counts.dropped).to.equal(8);
    expect(world.logged.map(({ dropped }) => dropped)).to.deep.equal([1]);
    world.now = 60_000;
    report(many(2));
    expect(world.logged.map(({ dropped }) => dropped)).to.deep.equal([1, 9]);
    await close(1);
  });

  it('counts a batch that the broker refuses as dropped and continues with the next one', async () => {
    const { report, close, world } = reporter(() => Promise.reject(new Error('away')));
    report(many(1_001));
    await close(10_000);
    expect(world.batches).to.deep.equal([1_000, 1]);
    expect(world.counts).to.deep.equal({ published: 0, dropped: 1_001 });
  });

  it('publishes the rest when it is closed, and drops what comes later', async () => {
    const { report, close, world } = reporter();
    report([OUTCOME]);
    await close(10_000);
    report([OUTCOME]);
    expect(world.batches).to.deep.equal([1]);
    expect(world.counts).to.deep.equal({ published: 1, dropped: 1 });
  });
});
