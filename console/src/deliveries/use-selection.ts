import { useCallback, useState } from 'react';

/** Selected rows are replayed by single requests; larger sets are for a replay job. */
const MAX_SELECTED = 100;

const NONE: ReadonlySet<string> = new Set();

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly isFull: boolean;
  toggle(id: string): void;
  remove(id: string): void;
}

/** Selected rows of one list. With another one nothing is selected, nor is a row that the list no longer has. */
export function useSelection(list: string, loaded: ReadonlySet<string>): Selection {
  const [shown, setShown] = useState(list);
  const [ids, setIds] = useState<ReadonlySet<string>>(NONE);
  const kept = shown === list ? loadedOf(ids, loaded) : NONE;
  if (shown !== list) setShown(list);
  if (kept !== ids) setIds(kept);
  const toggle = useCallback((id: string) => setIds((selected) => toggled(selected, id)), []);
  const remove = useCallback((id: string) => setIds((selected) => without(selected, id)), []);
  return { ids: kept, isFull: kept.size >= MAX_SELECTED, toggle, remove };
}

/** The same set if all of it is loaded. */
export function loadedOf(selected: ReadonlySet<string>, loaded: ReadonlySet<string>): ReadonlySet<string> {
  const kept = [...selected].filter((id) => loaded.has(id));
  return kept.length === selected.size ? selected : new Set(kept);
}

function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const rest = new Set(selected);
  if (!rest.delete(id) && rest.size < MAX_SELECTED) rest.add(id);
  return rest;
}

function without(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...selected].filter((other) => other !== id));
}
