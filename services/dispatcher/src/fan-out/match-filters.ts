import { readFilter, type StoredFilter } from '@postrider/shared/domain/event-filter';
import { compileFilter, type FilterMatcher } from '@postrider/shared/domain/match-filter';
import { LRUCache } from 'lru-cache';

/** Whether the payload of an event matches a stored filter. */
export type MatchFilter = (filter: StoredFilter, payload: unknown) => boolean;

/** Of the texts of all compiled filters, in characters. A compiled filter takes some ten times its text. */
const MAX_TEXT = 4 * 1_024 * 1_024;

/**
 * Compiles filters once and keeps them by their text, for all endpoints of all workspaces. A changed filter is another text, so
 * that nothing that is kept can be outdated. Those used least recently are compiled again.
 */
export function createMatchFilters(maxText = MAX_TEXT): MatchFilter {
  const compiled = new LRUCache<StoredFilter, FilterMatcher>({
    maxSize: maxText,
    sizeCalculation: (_, text) => text.length,
  });
  return (filter, payload) => {
    let matcher = compiled.get(filter);
    if (matcher === undefined) {
      matcher = compileFilter(readFilter(filter));
      compiled.set(filter, matcher);
    }
    return matcher(payload);
  };
}
