import { useState } from 'react';
import { isSameFilter } from './is-same-filter.js';

/** A draft of the filter in the address. It begins anew when the address has another filter, also one that was just applied. */
export function useFilterDraft<Filter extends object>(filter: Filter) {
  const [draft, setDraft] = useState(filter);
  const [known, setKnown] = useState(filter);
  if (!isSameFilter(known, filter)) {
    setKnown(filter);
    setDraft(filter);
  }
  return [draft, setDraft] as const;
}
