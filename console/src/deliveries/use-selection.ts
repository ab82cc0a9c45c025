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

/** Selected rows of one list: with another one, nothing is selected, because rows could be selected that it does not show. */
export function useSelection(list: string): Selection {
  const [shown, setShown] = useState(list);
  const [ids, setIds] = useState<ReadonlySet<string>>(NONE);
  if (shown !== list) {
    setShown(list);
    setIds(NONE);
  }
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
