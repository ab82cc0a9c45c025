import { type CursorPosition, clampLimit, decodeCursor, pageOf } from '@postrider/shared/domain/page';
import type { Page, PageRequest } from '../contract/page.js';
import type { CreationOrder, Slice } from '../ports/reads.js';

export interface PageQuery<Row, Item, Key> {
  /** Identifies the list and its owner: a cursor is only valid in the list that returned it. */
  readonly list: string;
  readonly request: PageRequest;
  readonly read: (slice: Slice<Key>) => Promise<readonly Row[]>;
  readonly show: (row: Row) => Item;
}

/** Reads a page of a list that is ordered newest first by (createdAt, id). */
export function pageNewestFirst<Row extends CreationOrder, Item>(
  query: PageQuery<Row, Item, CreationOrder>,
): Promise<Page<Item>> {
  return readPage(query, {
    keyAt: ([createdAt = '', id = '', ...rest]) => {
      const date = new Date(createdAt);
      return Number.isNaN(date.getTime()) || id === '' || rest.length > 0 ? null : { createdAt: date, id };
    },
    positionOf: ({ createdAt, id }) => [createdAt.toISOString(), id],
  });
}

/** Reads a page of a list that is ordered by id, in either direction. */
export function pageById<Row extends { readonly id: string }, Item>(
  query: PageQuery<Row, Item, string>,
): Promise<Page<Item>> {
  return readPage(query, {
    keyAt: ([id = '', ...rest]) => (id === '' || rest.length > 0 ? null : id),
    positionOf: ({ id }) => [id],
  });
}

interface Order<Row, Key> {
  readonly keyAt: (position: CursorPosition) => Key | null;
  readonly positionOf: (row: Row) => CursorPosition;
}

async function readPage<Row, Item, Key>(
  { list, request, read, show }: PageQuery<Row, Item, Key>,
  { keyAt, positionOf }: Order<Row, Key>,
): Promise<Page<Item>> {
  const limit = clampLimit(request.limit);
  let after: Key | null = null;
  if (request.cursor !== undefined) {
    const position = decodeCursor(list, request.cursor);
    after = position && keyAt(position);
    if (after === null) return { items: [], nextCursor: null };
  }
  // The additional row shows whether there is a next page.
  const rows = await read({ after, limit: limit + 1 });
  const { items, nextCursor } = pageOf(rows, { list, limit, positionOf, toItem: show });
  return { items: [...items], nextCursor };
}
