export interface Baseline {
  /** Adds the share of unreached domains at a time. Times without one count as 0. */
  add(share: number, now: number): void;
  /** The mean share of the ten minutes before the window. */
  mean(now: number): number;
}

const SPAN_MS = 600_000;

/** @param everyMs the time between two shares */
export function createBaseline(everyMs: number, windowMs: number): Baseline {
  const shares: { readonly at: number; readonly share: number }[] = [];
  return {
    add(share, now) {
      shares.push({ at: now, share });
      while (shares[0] !== undefined && shares[0].at < now - windowMs - SPAN_MS) shares.shift();
    },
    mean(now) {
      const end = now - windowMs;
      let sum = 0;
      for (const { at, share } of shares) if (at >= end - SPAN_MS && at < end) sum += share;
      return (sum * everyMs) / SPAN_MS;
    },
  };
}
