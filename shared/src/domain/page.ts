export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

/** One page of a list and the opaque way to the next. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** Narrows or widens a page size into [1, 200]; nothing that is a number is refused (specification, section 4.3). */
export function clampLimit(limit: number | undefined): number {
  if (limit === undefined || Number.isNaN(limit)) return DEFAULT_LIMIT;
  return Math.trunc(Math.min(Math.max(limit, 1), MAX_LIMIT));
}

/** The sort key of a list's last item, ending in its id. */
export type Position = readonly string[];

/** The opaque cursor of a position. `list` names the list and its owner, so a cursor only addresses where it came from. */
export function encodeCursor(list: string, position: Position): string {
  return Buffer.from(JSON.stringify([list, ...position])).toString('base64url');
}

/** @returns null when the text is no cursor, or one of another list: it addresses no position */
export function decodeCursor(list: string, cursor: string): Position | null {
  const parsed = parseJson(Buffer.from(cursor, 'base64url').toString('utf8'));
  if (!Array.isArray(parsed) || parsed.length < 2 || !parsed.every((part) => typeof part === 'string'))
    return null;
  const [from, ...position] = parsed as string[];
  return from === list ? position : null;
}

/**
 * Makes a page of `limit + 1` rows read: the surplus row only tells that there is a next page.
 *
 * @param positionOf the sort key of a row, ending in its id
 */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  { list, limit, positionOf, show }: PageShape<Row, Item>,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    items: shown.map(show),
    nextCursor: last === undefined ? null : encodeCursor(list, positionOf(last)),
  };
}

export interface PageShape<Row, Item> {
  readonly list: string;
  readonly limit: number;
  readonly positionOf: (row: Row) => Position;
  readonly show: (row: Row) => Item;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
