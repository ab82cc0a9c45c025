import { useCallback, useState } from 'react';

/** Selected rows are replayed by single requests; larger sets are for a replay job. */
const MAX_SELECTED = 100;

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly isFull: boolean;
  toggle(id: string): void;
  clear(): void;
}

export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((id: string) => setIds((selected) => toggled(selected, id)), []);
  const clear = useCallback(() => setIds(new Set()), []);
  return { ids, isFull: ids.size >= MAX_SELECTED, toggle, clear };
}

function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const rest = new Set(selected);
  if (!rest.delete(id) && rest.size < MAX_SELECTED) rest.add(id);
  return rest;
}
