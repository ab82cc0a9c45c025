import { useCallback, useState } from 'react';

/** Selected rows are replayed by single requests; larger sets are for a replay job. */
const MAX_SELECTED = 100;

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly isFull: boolean;
  toggle(id: string): void;
  remove(id: string): void;
}

export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((id: string) => setIds((selected) => toggled(selected, id)), []);
  const remove = useCallback((id: string) => setIds((selected) => without(selected, id)), []);
  return { ids, isFull: ids.size >= MAX_SELECTED, toggle, remove };
}

function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const rest = new Set(selected);
  if (!rest.delete(id) && rest.size < MAX_SELECTED) rest.add(id);
  return rest;
}

function without(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...selected].filter((other) => other !== id));
}
