/** May this be told now? Once per key and span of time. */
export type MayLog = (key: string, now: Date) => boolean;

const KEPT_KEYS = 10_000;

/** Keeps a log readable when one thing goes wrong again and again: each key is told once in `everyMs`. */
export function throttleLog(everyMs: number, keptKeys = KEPT_KEYS): MayLog {
  const told = new Map<string, number>();
  return (key, now) => {
    const last = told.get(key);
    if (last !== undefined && now.getTime() - last < everyMs) return false;
    if (told.size >= keptKeys) told.clear();
    told.set(key, now.getTime());
    return true;
  };
}
