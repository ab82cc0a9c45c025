export interface Baseline {
  /** Adds the share of unreached domains at a time. Times without one count as 0. */
  add(share: number, now: number): void;
  /** The mean share of the span before the window. */
  mean(now: number): number;
}

interface BaselineTimes {
  /** The time between two shares, in milliseconds, as are those below. */
  readonly everyMs: number;
  readonly windowMs: number;
  /** How long before the window the mean begins. */
  readonly spanMs: number;
}

export function createBaseline({ everyMs, windowMs, spanMs }: BaselineTimes): Baseline {
  const shares: { readonly at: number; readonly share: number }[] = [];
  return {
    add(share, now) {
      shares.push({ at: now, share });
      while (shares[0] !== undefined && shares[0].at < now - windowMs - spanMs) shares.shift();
    },
    mean(now) {
      const end = now - windowMs;
      let sum = 0;
      for (const { at, share } of shares) if (at >= end - spanMs && at < end) sum += share;
      return (sum * everyMs) / spanMs;
    },
  };
}
