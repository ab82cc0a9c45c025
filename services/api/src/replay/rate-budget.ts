/** How many rows may start now, so that the average keeps a rate. */
export interface RateBudget {
  /** @returns at most `most`; they are spent */
  take(most: number): number;
  /** Returns rows that were taken but not used. */
  giveBack(count: number): void;
}

/** How long an unused budget is kept, in seconds: a short delay does not lower the average. */
const KEPT_S = 2;
const MS_PER_S = 1_000;

export function createRateBudget(perSecond: number, monotonicMs: () => number): RateBudget {
  const most = Math.max(1, perSecond * KEPT_S);
  let credit = 0;
  let last = monotonicMs();
  const accrue = () => {
    const time = monotonicMs();
    credit = Math.min(most, credit + ((time - last) * perSecond) / MS_PER_S);
    last = time;
  };
  return {
    take(wanted) {
      accrue();
      const taken = Math.min(wanted, Math.floor(credit));
      credit -= taken;
      return taken;
    },
    giveBack(count) {
      credit = Math.min(most, credit + count);
    },
  };
}
