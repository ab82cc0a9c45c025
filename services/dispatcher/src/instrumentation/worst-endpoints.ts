/** Finds the endpoints with most failures, in bounded memory. */
export interface WorstEndpoints {
  failed(endpointId: string, now: number): void;
  /** The endpoints with most failures in the last one to two spans, in descending order. */
  worst(now: number): readonly { readonly endpointId: string; readonly failures: number }[];
}

interface Limits {
  /** Length of a span in milliseconds. */
  readonly spanMs: number;
  /** Maximum number of endpoints counted in one span; further ones are ignored until the next. */
  readonly counted: number;
  readonly shown: number;
}

const DEFAULT_LIMITS: Limits = { spanMs: 5 * 60_000, counted: 10_000, shown: 20 };

/** Counts in the current span and the previous one; older counts are discarded together. */
export function createWorstEndpoints({ spanMs, counted, shown }: Limits = DEFAULT_LIMITS): WorstEndpoints {
  let current = new Map<string, number>();
  let before = new Map<string, number>();
  let span = Number.NEGATIVE_INFINITY;
  const rotate = (now: number) => {
    const spanNow = Math.floor(now / spanMs);
    if (spanNow === span) return;
    before = spanNow === span + 1 ? current : new Map();
    current = new Map();
    span = spanNow;
  };
  return {
    failed(endpointId, now) {
      rotate(now);
      const failures = current.get(endpointId);
      if (failures !== undefined || current.size < counted) current.set(endpointId, (failures ?? 0) + 1);
    },
    worst(now) {
      rotate(now);
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
