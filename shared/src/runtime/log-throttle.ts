/** Whether a repeated line may be logged now, for this key if its keys are limited separately. Records that it was. */
export type MayLog = (key?: string) => boolean;

interface ThrottleParts {
  readonly monotonicMs: () => number;
  /** One line of a key in this time. */
  readonly everyMs?: number;
  readonly maxKeys?: number;
}

const EVERY_MS = 60_000;
const MAX_KEYS = 10_000;

/** Limits a repeated log line to one per key and minute. */
export function createLogThrottle({
  monotonicMs,
  everyMs = EVERY_MS,
  maxKeys = MAX_KEYS,
}: ThrottleParts): MayLog {
  /** The least recently used key is first. */
  const loggedMs = new Map<string, number>();
  const evict = () => {
    for (const key of loggedMs.keys()) {
      if (loggedMs.size <= maxKeys) return;
      loggedMs.delete(key);
    }
  };
  return (key = '') => {
    const now = monotonicMs();
    const last = loggedMs.get(key) ?? Number.NEGATIVE_INFINITY;
    const mayLog = now - last >= everyMs;
    loggedMs.delete(key);
    loggedMs.set(key, mayLog ? now : last);
    evict();
    return mayLog;
  };
}
