import type { DeliveryOutcome } from '../domain/delivery-outcome.js';
import type { Log } from '../ports/log.js';
import type { CountOutcomes, ReportOutcomes } from '../ports/outcomes.js';
import { createDelayedFlush } from '../runtime/delayed-flush.js';
import { createLogThrottle } from '../runtime/log-throttle.js';
import { withTimeout } from '../runtime/with-timeout.js';

/** Gathers outcomes and publishes them in batches. */
export interface OutcomeReporter {
  readonly report: ReportOutcomes;
  /** Whether outcomes are published at all. */
  readonly isOn: boolean;
  /** Replaces the function that counts outcomes by the result of reporting them. */
  countWith(count: CountOutcomes): void;
  /** Publishes the gathered outcomes, for at most `withinMs`. */
  close(withinMs: number): Promise<void>;
}

interface ReporterParts {
  readonly publish: (outcomes: readonly DeliveryOutcome[]) => Promise<void>;
  readonly log: Log;
  /** Monotonic, in milliseconds. */
  readonly monotonicMs: () => number;
}

/** How long outcomes wait for others, in milliseconds, so that a few outcomes cost few requests. */
const GATHER_MS = 250;
/**
 * A batch of this size does not wait. Encoding it takes some milliseconds, and if all its records are of one endpoint, they
 * are below the megabyte that a broker accepts for a partition.
 */
const FULL_BATCH = 1_000;
/** Maximum number of outcomes in memory. Further ones are dropped, so that a slow broker costs no memory. */
const MAX_WAITING = 10_000;

/** Outcomes are dropped when the broker is slow or refuses them: they are a copy, the rows are the authority. */
export function createOutcomeReporter({ publish, log, monotonicMs }: ReporterParts): OutcomeReporter {
  const waiting: DeliveryOutcome[] = [];
  let isClosed = false;
  let count: CountOutcomes = () => {};
  const dropLog = createDropLog(log, monotonicMs);

  const drop = (dropped: number, err: unknown) => {
    count('dropped', dropped);
    dropLog(dropped, err);
  };
  const publishBatch = async () => {
    const batch = waiting.splice(0, FULL_BATCH);
    try {
      await publish(batch);
      count('published', batch.length);
    } catch (error) {
      drop(batch.length, error);
    }
  };
  const { schedule, drain } = createDelayedFlush({
    waiting: () => waiting.length,
    full: FULL_BATCH,
    pauseMs: () => GATHER_MS,
    flush: publishBatch,
  });

  return {
    isOn: true,
    report(outcomes) {
      const room = isClosed ? 0 : Math.max(0, MAX_WAITING - waiting.length);
      for (const outcome of outcomes.slice(0, room)) waiting.push(outcome);
      if (outcomes.length > room) drop(outcomes.length - room, null);
      schedule();
    },
    countWith(newCount) {
      count = newCount;
    },
    async close(withinMs) {
      isClosed = true;
      await withTimeout(drain(), withinMs, async () => {
        drop(waiting.length, null);
        waiting.length = 0;
      });
    },
  };
}

/** Used in an installation with `OUTCOMES=false`. */
export const NO_OUTCOMES: OutcomeReporter = {
  isOn: false,
  report: () => {},
  countWith: () => {},
  close: async () => {},
};

/** Logs the sum of dropped outcomes once a minute. */
function createDropLog(log: Log, monotonicMs: () => number) {
  const mayLog = createLogThrottle({ monotonicMs });
  let dropped = 0;
  return (more: number, err: unknown) => {
    dropped += more;
    if (!mayLog()) return;
    log.warn(
      { event: 'outcomes.dropped', dropped, ...(err !== null && { err }) },
      'outcomes were not published; deliveries are not affected',
    );
    dropped = 0;
  };
}
