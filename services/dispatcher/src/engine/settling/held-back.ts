import { doublingPauseMs } from '@postrider/shared/runtime/doubling-pause';
import type { PendingObservation } from './pending-observation.js';

/** Keeps attempts that the database rejects, and retries each after its own delay. */
export interface HeldBack {
  /** @returns false if there is no room */
  hold(entry: PendingObservation): boolean;
}

export interface HeldBackParts {
  readonly maxHeldBack: number;
  readonly again: (entry: PendingObservation) => void;
  readonly later: (task: () => void, ms: number) => void;
}

const DELAYS = { firstMs: 2_000, longestMs: 10 * 60_000 };

/** The delay of an attempt doubles with each rejection. */
export function createHeldBack({ maxHeldBack, again, later }: HeldBackParts): HeldBack {
  const rejections = new WeakMap<PendingObservation, number>();
  let held = 0;
  return {
    hold(entry) {
      if (held >= maxHeldBack) return false;
      const rejected = (rejections.get(entry) ?? 0) + 1;
      rejections.set(entry, rejected);
      held += 1;
      later(
        () => {
          held -= 1;
          again(entry);
        },
        doublingPauseMs(rejected, DELAYS),
      );
      return true;
    },
  };
}
