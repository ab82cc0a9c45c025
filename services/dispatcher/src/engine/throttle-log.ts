import { LRUCache } from 'lru-cache';

/** Whether an event may be logged now. Records that it was. */
export type MayLog = (key: string, now: Date) => boolean;

const MAX_KEYS = 10_000;

/** Limits a repeated log line to one per key in `everyMs`. */
export function throttleLog(everyMs: number, maxKeys = MAX_KEYS): MayLog {
  const loggedAt = new LRUCache<string, number>({ max: maxKeys });
  return (key, now) => {
    const last = loggedAt.get(key);
    // The clock may have been set back.
    if (last !== undefined && Math.abs(now.getTime() - last) < everyMs) return false;
    loggedAt.set(key, now.getTime());
    return true;
  };
}
