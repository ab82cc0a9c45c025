import { mock } from 'node:test';
import { expect } from 'chai';
import { createOutboxPublisher } from '../../src/kafka/outbox-publisher.js';
import { startOutboxRelay } from '../../src/outbox/relay.js';
import type { OutboxStore } from '../../src/ports/outbox.js';
import { NotAppended } from '../../src/ports/queue.js';
import { NOON } from '../../src/testing/builders.js';
import { eventually } from '../../src/testing/eventually.js';
import { aRecord } from './relay-under-test.js';

const BATCH = 100;
/** A flush takes fewer steps of the event loop than this to end. */
const STEPS = Array.from({ length: 12 }, (_, step) => step);

// Regression: a full batch that was offered in the last steps of a flush started no new flush. It was published only
// with a later offer or by the sweep.
describe('outbox relay with a full batch offered at the end of a flush', () => {
  for (const step of STEPS) {
    it(`publishes the batch immediately (${step} steps after the last record was removed)`, async () => {
      const published: string[] = [];
      const unused = () => Promise.reject(new Error('not expected'));
      const second = Array.from({ length: BATCH }, (_, index) => aRecord(`second ${index}`));
      let isFirst = true;
      const store: OutboxStore = {
        claim: unused,
        findUnclaimed: unused,
        nextExpiry: unused,
        countFailure: unused,
        setAside: unused,
        async remove() {
          if (!isFirst) return;
          isFirst = false;
          void afterSteps(step).then(() => relay.offer(second));
        },
      };
      const quiet = () => undefined;
      const relay = startOutboxRelay({
        store,
        publish: async (records) => void published.push(...records.map(({ id }) => id)),
        clock: { now: () => NOON },
        log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
        claimMs: 1_000,
        sweepEveryMs: 1_000_000,
        sweepAtLeastEveryMs: 1_000_000,
      });
      relay.offer(Array.from({ length: BATCH }, (_, index) => aRecord(`first ${index}`)));
      await eventually(() => expect(published).to.have.length(2 * BATCH));
      await relay.stop();
    });
  }
});

describe('sweeps of the outbox relay', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  /** The times of the sweeps, in milliseconds after the start, with the claims that are stored then. */
  async function sweepsWithin(ms: number, expiryAt: (time: number) => number | null): Promise<number[]> {
    const sweeps: number[] = [];
    let time = 0;
    const quiet = () => undefined;
    const relay = startOutboxRelay({
      store: {
        async claim() {
          sweeps.push(time);
          return [];
        },
        async nextExpiry() {
          const expiry = expiryAt(time);
          return expiry === null ? null : new Date(NOON.getTime() + expiry);
        },
        findUnclaimed: async () => [],
        remove: async () => undefined,
        countFailure: async () => 0,
        setAside: async () => undefined,
      },
      publish: async () => undefined,
      clock: { now: () => new Date(NOON.getTime() + time) },
      log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
      claimMs: 15_000,
      sweepEveryMs: 2_000,
      sweepAtLeastEveryMs: 15_000,
    });
    for (; time < ms; time += 500) {
      mock.timers.tick(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const stopped = relay.stop();
    mock.timers.tick(1_000);
    await stopped;
    return sweeps;
  }

  it('are as rare as a new claim is long while the outbox is empty', async () => {
    expect(await sweepsWithin(40_000, () => null)).to.deep.equal([1_500, 16_500, 31_500]);
  });

  it('come when the first claim expires', async () => {
    expect(await sweepsWithin(12_000, (time) => (time < 10_000 ? 10_000 : null))).to.deep.equal([
      1_500, 10_000,
    ]);
  });

  it('keep their shortest pause while claims have expired', async () => {
    expect(await sweepsWithin(8_000, () => 0)).to.deep.equal([1_500, 3_500, 5_500, 7_500]);
  });
});

// Regression: the records beside those of a partition without a leader stayed in the outbox, and each sweep appended them again.
describe('outbox relay whose batch is appended in part', () => {
  it('removes what is appended, and publishes what waits behind it', async () => {
    const removed: string[] = [];
    const warnings: unknown[] = [];
    const quiet = () => undefined;
    const unused = () => Promise.reject(new Error('not expected'));
    const publish = createOutboxPublisher(
      async (messages) => {
        const index = messages.findIndex(({ key }) => key === 'left');
        if (index !== -1) throw new NotAppended(new Set([index]), { cause: new Error('no leader') });
      },
      { encode: unused },
    );
    const relay = startOutboxRelay({
      store: {
        claim: unused,
        findUnclaimed: unused,
        nextExpiry: unused,
        countFailure: unused,
        setAside: unused,
        remove: async (ids) => void removed.push(...ids),
      },
      publish,
      clock: { now: () => NOON },
      log: { debug: quiet, info: quiet, warn: (facts) => warnings.push(facts), error: quiet },
      claimMs: 1_000,
      sweepEveryMs: 1_000_000,
      sweepAtLeastEveryMs: 1_000_000,
    });
    const records = Array.from({ length: BATCH + 20 }, (_, index) =>
      aRecord(`${index}`, index === 7 ? 'left' : 'any'),
    );
    relay.offer(records);
    await relay.drain(5_000);
    await relay.stop();
    expect(removed).to.have.members(records.filter(({ key }) => key === 'any').map(({ id }) => id));
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.include({ event: 'outbox.not_published', count: 1 });
  });
});

async function afterSteps(steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) await null;
}
