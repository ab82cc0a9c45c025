import { readFilter, type StoredFilter } from '@postrider/shared/domain/event-filter';
import { COMPILING_CHECKS, compileFilter } from '@postrider/shared/domain/match-filter';

/** Compares a payload with filters: with those of the same text only once. */
export interface PayloadComparison {
  matches(filter: StoredFilter): boolean;
  /** The cost of all comparisons so far, in checks. */
  checks(): number;
}

export function createPayloadComparison(payload: unknown): PayloadComparison {
  const known = new Map<StoredFilter, boolean>();
  let checks = 0;
  return {
    checks: () => checks,
    matches(filter) {
      const before = known.get(filter);
      if (before !== undefined) return before;
      const compared = compileFilter(readFilter(filter))(payload);
      known.set(filter, compared.matches);
      checks += compared.checks + filter.length * COMPILING_CHECKS;
      return compared.matches;
    },
  };
}
