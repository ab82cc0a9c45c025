import type { Config } from './config.js';
import type { EngineLimits } from './engine/engine-parts.js';
import { poolLimits } from './engine/scheduler/pool-limits.js';

/** Limits that are not configurable: those of the specification, section 8, and those that bound memory. */
export const LIMITS = {
  /** The CPU time for reading, queueing and starting many deliveries in a turn of the event loop. */
  turn: { totalMs: 5, leastMs: 1 },
  /** Maximum size of a stored response body, in bytes. */
  bodyBytes: 2_048,
  fanOut: {
    openEvents: 5_000,
    openBytes: 64 * 1_024 * 1_024,
    deferredRuns: 400_000,
  },
  engine: {
    /** Bounds the offsets that `MAX_JOBS` does not: of copies of a message, and of messages that wait for a query before their job. */
    openDeliveries: 60_000,
    openRetriesEach: 2_000,
    maxUnsettled: 1_024,
    maxUnpublished: 5_000,
    maxHeldBack: 1_000,
    settleBatch: 100,
    settleLanes: 2,
  },
  /** Maximum size of the rows of POSTs, in bytes. Each is in memory some three times until its POST has ended. */
  postBytes: 16 * 1_024 * 1_024,
} as const;

const MAX_OPEN_RETRIES = 24_000;

/** Maximum number of open retries in a process with room for `jobs`: waiting retries leave half of it to others. */
export const openRetriesWithin = (jobs: number): number => Math.min(Math.floor(jobs / 2), MAX_OPEN_RETRIES);

/** The limits of the engine, with those that are configurable. */
export function engineLimits(
  config: Pick<Config, 'BATCH_SIZE' | 'MAX_CONCURRENCY' | 'MAX_IN_FLIGHT' | 'MAX_LINGERING' | 'MAX_JOBS'>,
): EngineLimits {
  return {
    ...LIMITS.engine,
    batchSize: config.BATCH_SIZE,
    ...poolLimits({
      perEndpoint: config.MAX_CONCURRENCY,
      prompt: config.MAX_IN_FLIGHT,
      lingering: config.MAX_LINGERING,
      bytes: LIMITS.postBytes,
    }),
    jobs: config.MAX_JOBS,
    openRetries: openRetriesWithin(config.MAX_JOBS),
  };
}
