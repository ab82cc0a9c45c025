import { LRUCache } from 'lru-cache';

/** Whether a repeated line may be logged now, for this key if its keys are limited separately. Records that it was. */
export type MayLog = (key?: string) => boolean;

interface ThrottleParts {
  readonly monotonicMs: () => number;
  /** One line of a key in this time. */
  readonly everyMs?: number;
  /** Maximum number of keys that are limited separately; 1 for a line without keys. */
  readonly maxKeys?: number;
}

const EVERY_MS = 60_000;

/** Limits a repeated log line to one per key and minute. */
export function createLogThrottle({ monotonicMs, everyMs = EVERY_MS, maxKeys = 1 }: ThrottleParts): MayLog {
  const loggedMs = new LRUCache<string, number>({ max: maxKeys });
  return (key = '') => {
    const now = monotonicMs();
    const last = loggedMs.get(key);
    if (last !== undefined && now - last < everyMs) return false;
    loggedMs.set(key, now);
    return true;
  };
}
