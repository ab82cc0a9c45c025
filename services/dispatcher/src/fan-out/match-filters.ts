import { readFilter, type StoredFilter } from '@postrider/shared/domain/event-filter';
import {
  COMPILING_CHECKS,
  type Compared,
  compileFilter,
  type FilterMatcher,
} from '@postrider/shared/domain/match-filter';
import { LRUCache } from 'lru-cache';

/** Compares the payload of an event with a stored filter. */
export type MatchFilter = (filter: StoredFilter, payload: unknown) => Compared;

/** Maximum total text of all compiled filters, in characters. A compiled filter takes about ten times its text. */
const MAX_TEXT = 4 * 1_024 * 1_024;

/**
 * Compiles filters once and keeps them by their text, for all endpoints of all workspaces. A changed filter has another
 * text, so no entry can be outdated. The least recently used are dropped and compiled again.
 */
export function createMatchFilters(maxText = MAX_TEXT): MatchFilter {
  const compiled = new LRUCache<StoredFilter, FilterMatcher>({
    maxSize: maxText,
    sizeCalculation: (_, text) => text.length,
  });
  return (filter, payload) => {
    const known = compiled.get(filter);
    if (known !== undefined) return known(payload);
    const matcher = compileFilter(readFilter(filter));
    compiled.set(filter, matcher);
    const { matches, checks } = matcher(payload);
    return { matches, checks: checks + filter.length * COMPILING_CHECKS };
  };
}
