import type { Entry } from './settler.js';

/** Keeps attempts that the database rejects, and has each stored again after a delay of its own. */
export interface HeldBack {
  /** @returns false if there is no room */
  hold(entry: Entry): boolean;
}

export interface HeldBackParts {
  readonly maxHeldBack: number;
  readonly again: (entry: Entry) => void;
  readonly later: (task: () => void, ms: number) => void;
}

const FIRST_DELAY_MS = 2_000;
const LONGEST_DELAY_MS = 10 * 60_000;

/** The delay of an attempt doubles each time that it is rejected. */
export function createHeldBack({ maxHeldBack, again, later }: HeldBackParts): HeldBack {
  const delays = new WeakMap<Entry, number>();
  let held = 0;
  return {
    hold(entry) {
      if (held >= maxHeldBack) return false;
      const delay = delays.get(entry) ?? FIRST_DELAY_MS;
      delays.set(entry, Math.min(delay * 2, LONGEST_DELAY_MS));
      held += 1;
      later(() => {
        held -= 1;
        again(entry);
      }, delay);
      return true;
    },
  };
}
