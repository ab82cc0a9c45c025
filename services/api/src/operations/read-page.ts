import {
  type CursorPosition,
  clampLimit,
  decodeCursor,
  encodeCursor,
  pageOf,
} from '@postrider/shared/domain/page';
import type { Page, PageRequest } from '../contract/page.js';
import type { BoundedRows, CreationOrder, Slice } from '../ports/reads.js';
import { countFitting } from './page-bytes.js';

export interface PageQuery<Row, Item, Key> {
  /** Identifies the list and its owner: a cursor is only valid in the list that returned it. */
  readonly list: string;
  readonly request: PageRequest;
  /** A read that is bounded may make a page short, or empty, while there is a next one. */
  readonly read: (slice: Slice<Key>) => Promise<readonly Row[] | BoundedRows<Row, Key>>;
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
    positionAt: ({ createdAt, id }) => [createdAt.toISOString(), id],
    keyOf: (row) => row,
  });
}

/** Reads a page of a list that is ordered by id, in either direction. */
export function pageById<Row extends { readonly id: string }, Item>(
  query: PageQuery<Row, Item, string>,
): Promise<Page<Item>> {
  return readPage(query, {
    keyAt: ([id = '', ...rest]) => (id === '' || rest.length > 0 ? null : id),
    positionAt: (id) => [id],
    keyOf: ({ id }) => id,
  });
}

interface Order<Row, Key> {
  readonly keyAt: (position: CursorPosition) => Key | null;
  readonly positionAt: (key: Key) => CursorPosition;
  readonly keyOf: (row: Row) => Key;
}

async function readPage<Row, Item, Key>(
  { list, request, read, show }: PageQuery<Row, Item, Key>,
  { keyAt, positionAt, keyOf }: Order<Row, Key>,
): Promise<Page<Item>> {
  const limit = clampLimit(request.limit);
  let after: Key | null = null;
  if (request.cursor !== undefined) {
    const position = decodeCursor(list, request.cursor);
    after = position && keyAt(position);
    if (after === null) return { items: [], nextCursor: null };
  }
  // The additional row shows whether there is a next page.
  const found = await read({ after, limit: limit + 1 });
  const { rows, readTo } = 'readTo' in found ? found : { rows: found, readTo: null };
  const positionOf = (row: Row) => positionAt(keyOf(row));
  const { items, nextCursor } = pageOf(rows, { list, limit, positionOf, toItem: show });
  const fitting = countFitting(items);
  const last = rows[fitting - 1];
  if (fitting < items.length && last !== undefined)
    return { items: items.slice(0, fitting), nextCursor: encodeCursor(list, positionOf(last)) };
  const further = readTo === null ? null : encodeCursor(list, positionAt(readTo));
  return { items: [...items], nextCursor: nextCursor ?? further };
}
