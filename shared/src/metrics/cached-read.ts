import { withTimeout } from '../runtime/with-timeout.js';

interface ReadOptions {
  /** How old a cached result may be, in milliseconds. */
  readonly maxAgeMs: number;
  /** How long a caller waits, in milliseconds. */
  readonly withinMs: number;
  readonly monotonicMs?: () => number;
}

const DEFAULTS: ReadOptions = { maxAgeMs: 2_000, withinMs: 2_000 };
/** A result is also cached for this many times the duration of its read, so that reading never becomes a load. */
const DURATION_FACTOR = 20;
/** A failure is cached no longer than this, in milliseconds: alerts are about what cannot be read. */
const LONGEST_FAILURE_MS = 30_000;

/**
 * Caches what gauges read, for scrapes of metrics. Concurrent callers share one read.
 *
 * @returns a function that rejects if the read fails or takes too long
 */
export function cachedRead<T>(
  read: () => Promise<T>,
  { maxAgeMs, withinMs, monotonicMs = () => performance.now() }: ReadOptions = DEFAULTS,
): () => Promise<T> {
  let last: Promise<T> | null = null;
  let freshUntil = Number.NEGATIVE_INFINITY;
  const begin = (): Promise<T> => {
    const started = monotonicMs();
    freshUntil = Number.POSITIVE_INFINITY;
    const cacheFor = (longestMs: number) => {
      const ended = monotonicMs();
      const pauseMs = Math.min(DURATION_FACTOR * (ended - started), longestMs);
      freshUntil = Math.max(started + maxAgeMs, ended + pauseMs);
    };
    const result = read();
    last = result;
    result.then(
      () => cacheFor(Number.POSITIVE_INFINITY),
      () => cacheFor(LONGEST_FAILURE_MS),
    );
    return result;
  };
  const tooLate = () => Promise.reject(new Error(`no response within ${withinMs} ms`));
  return () => withTimeout(last !== null && monotonicMs() < freshUntil ? last : begin(), withinMs, tooLate);
}
