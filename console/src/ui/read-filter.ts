/** The filters of an address. Absent means any. */
export type Filter<Name extends string> = { readonly [Each in Name]?: string };

/** Reads the filters of an address. Other names are ignored: an address can come from another version. */
export function readFilter<Name extends string>(
  names: readonly Name[],
  search: Readonly<Record<string, unknown>>,
): Filter<Name> {
  const given = names.flatMap((name) => {
    const text = String(search[name] ?? '').trim();
    return text === '' ? [] : [[name, text] as const];
  });
  return Object.fromEntries(given) as Filter<Name>;
}
