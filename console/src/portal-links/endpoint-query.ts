const WHOLE_ID = /^whe_[0-9a-z]{26}$/;

/**
 * The endpoints that have what is typed. One request of a search examines a limited number of endpoints, so a whole id is
 * requested directly.
 */
export function endpointQuery(typed: string): { readonly text?: string; readonly ids?: string } {
  if (typed === '') return {};
  return WHOLE_ID.test(typed) ? { ids: typed } : { text: typed };
}
