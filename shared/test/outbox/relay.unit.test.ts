import { expect } from 'chai';
import { startOutboxRelay } from '../../src/outbox/relay.js';
import type { OutboxStore } from '../../src/ports/outbox.js';
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
      });
      relay.offer(Array.from({ length: BATCH }, (_, index) => aRecord(`first ${index}`)));
      await eventually(() => expect(published).to.have.length(2 * BATCH));
      await relay.stop();
    });
  }
});

async function afterSteps(steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) await null;
}
