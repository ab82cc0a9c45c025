/** Which endpoints fail most at the moment, in memory that does not grow with their number. */
export interface WorstEndpoints {
  failed(endpointId: string, now: number): void;
  /** Those with most failures of the last one to two spans, the worst first. */
  worst(now: number): readonly { readonly endpointId: string; readonly failures: number }[];
}

interface Limits {
  /** Milliseconds that failures are counted together. */
  readonly spanMs: number;
  /** Endpoints counted in one span; further ones are left out until the next. */
  readonly counted: number;
  readonly shown: number;
}

const USUAL: Limits = { spanMs: 5 * 60_000, counted: 10_000, shown: 20 };

/** Counts in two spans, the current one and the one before: what is older is forgotten as a whole. */
export function createWorstEndpoints({ spanMs, counted, shown }: Limits = USUAL): WorstEndpoints {
  let current = new Map<string, number>();
  let before = new Map<string, number>();
  let span = Number.NEGATIVE_INFINITY;
  const turn = (now: number) => {
    const spanNow = Math.floor(now / spanMs);
    if (spanNow === span) return;
    before = spanNow === span + 1 ? current : new Map();
    current = new Map();
    span = spanNow;
  };
  return {
    failed(endpointId, now) {
      turn(now);
      const failures = current.get(endpointId);
      if (failures !== undefined || current.size < counted) current.set(endpointId, (failures ?? 0) + 1);
    },
    worst(now) {
      turn(now);
      return [...new Set([...current.keys(), ...before.keys()])]
        .map((endpointId) => ({
          endpointId,
          failures: (current.get(endpointId) ?? 0) + (before.get(endpointId) ?? 0),
        }))
        .sort((a, b) => b.failures - a.failures)
        .slice(0, shown);
    },
  };
}
