export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

/** One page of a list and the opaque cursor of the next one. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** Clamps a page size to [1, 200]; no number is rejected (specification, section 4.3). */
export function clampLimit(limit: number | undefined): number {
  if (limit === undefined || Number.isNaN(limit)) return DEFAULT_LIMIT;
  return Math.trunc(Math.min(Math.max(limit, 1), MAX_LIMIT));
}

/** The sort key of an item of a list, ending in its id. */
export type CursorPosition = readonly string[];

/** The opaque cursor of a position. `list` names the list and its owner: a cursor is valid in its own list only. */
export function encodeCursor(list: string, position: CursorPosition): string {
  return Buffer.from(JSON.stringify([list, ...position])).toString('base64url');
}

/** @returns null if the text is not a cursor of this list */
export function decodeCursor(list: string, cursor: string): CursorPosition | null {
  const parsed = parseJson(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (!Array.isArray(parsed) || parsed.length < 2 || !parsed.every((part) => typeof part === 'string'))
    return null;
  const [from, ...position] = parsed as string[];
  return from === list ? position : null;
}

/**
 * Builds a page from up to `limit + 1` rows: the surplus row only shows that there is a next page.
 *
 * @param positionOf the sort key of a row, ending in its id
 */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  { list, limit, positionOf, toItem }: PageShape<Row, Item>,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    items: shown.map(toItem),
    nextCursor: last === undefined ? null : encodeCursor(list, positionOf(last)),
  };
}

export interface PageShape<Row, Item> {
  readonly list: string;
  readonly limit: number;
  readonly positionOf: (row: Row) => CursorPosition;
  readonly toItem: (row: Row) => Item;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
