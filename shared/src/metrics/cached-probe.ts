import { withTimeout } from '../runtime/with-timeout.js';

interface ProbeOptions {
  /** How old an answer may be, in milliseconds: those who ask within it share one look. */
  readonly maxAgeMs: number;
  /** How long somebody who asks waits, in milliseconds. */
  readonly withinMs: number;
  /** Monotonic, in milliseconds. */
  readonly now?: () => number;
}

const USUAL: ProbeOptions = { maxAgeMs: 2_000, withinMs: 2_000 };
/** A look rests this many times as long as it took, so that looking never becomes a load of its own. */
const REST = 20;

/**
 * Something that is looked up when metrics are asked for: at most once in a while, and nobody waits long for it.
 *
 * @returns a function that rejects when the look fails or takes too long
 */
export function cachedProbe<T>(
  ask: () => Promise<T>,
  { maxAgeMs, withinMs, now = () => performance.now() }: ProbeOptions = USUAL,
): () => Promise<T> {
  let last: Promise<T> | null = null;
  let goodUntil = Number.NEGATIVE_INFINITY;
  const begin = (): Promise<T> => {
    const started = now();
    goodUntil = Number.POSITIVE_INFINITY;
    const asked = ask().finally(() => {
      const ended = now();
      goodUntil = Math.max(started + maxAgeMs, ended + REST * (ended - started));
    });
    last = asked;
    return asked;
  };
  const tooLate = () => Promise.reject(new Error(`no answer within ${withinMs} ms`));
  return () => withTimeout(last !== null && now() < goodUntil ? last : begin(), withinMs, tooLate);
}
