import { encodeCursor } from '@postrider/shared/domain/page';
import type { Page } from '../contract/page.js';

/** Maximum size of a page's items as JSON, in characters, like that of the payloads of deliveries. */
const MAX_CHARACTERS = 4 * 1_024 * 1_024;

/** How many of the first items fit into a page, but at least one. The others follow on the next page. */
export function countFitting(items: readonly unknown[]): number {
  let characters = 0;
  for (const [index, item] of items.entries()) {
    characters += JSON.stringify(item).length;
    if (characters > MAX_CHARACTERS && index > 0) return index;
  }
  return items.length;
}

/**
 * The page of the first items that fit.
 *
 * @param further the id after which the page behind all items begins; null if there is none
 */
export function fittingPage<Item>(
  items: readonly Item[],
  {
    list,
    idOf,
    further,
  }: {
    readonly list: string;
    readonly idOf: (item: Item) => string;
    readonly further: string | null;
  },
): Page<Item> {
  const shown = items.slice(0, countFitting(items));
  const last = shown.at(-1);
  const after = shown.length < items.length && last !== undefined ? idOf(last) : further;
  return { items: shown, nextCursor: after === null ? null : encodeCursor(list, [after]) };
}
