const NAMES = ['text', 'state', 'metadata'] as const;

/**
 * The filters of the list, from its address. Absent means any. `text` is part of the id, the URL, the description or
 * an event type; `state` one state or several; `metadata` a name and a value, such as `customer:acme`.
 */
export type EndpointFilter = { readonly [Name in (typeof NAMES)[number]]?: string };

/** Reads the filters of an address. Other names are ignored: an address can come from another version. */
export function readEndpointFilter(search: Readonly<Record<string, unknown>>): EndpointFilter {
  const given = NAMES.flatMap((name) => {
    const text = String(search[name] ?? '').trim();
    return text === '' ? [] : [[name, text] as const];
  });
  return Object.fromEntries(given);
}
