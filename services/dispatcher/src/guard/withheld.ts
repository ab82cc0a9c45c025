import type { Verdicts } from '../ports/guard.js';

export interface Withheld {
  /** Keeps the verdicts of an observation. Beyond the limit the oldest one is recorded. */
  add(verdicts: Verdicts, now: number): void;
  /** Records what was added before a time. */
  recordBefore(time: number): void;
  /** @returns their number */
  discardAll(): number;
  size(): number;
}

/** Observations that are not recorded yet, oldest first, in bounded number. */
export function createWithheld(max: number): Withheld {
  let entries: { readonly verdicts: Verdicts; readonly at: number }[] = [];
  return {
    add(verdicts, now) {
      entries.push({ verdicts, at: now });
      if (entries.length > max) entries.shift()?.verdicts.record();
    },
    recordBefore(time) {
      const young = entries.findIndex(({ at }) => at >= time);
      const old = entries.splice(0, young < 0 ? entries.length : young);
      for (const { verdicts } of old) verdicts.record();
    },
    discardAll() {
      const taken = entries;
      entries = [];
      for (const { verdicts } of taken) verdicts.discard();
      return taken.length;
    },
    size: () => entries.length,
  };
}
