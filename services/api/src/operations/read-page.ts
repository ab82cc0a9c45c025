import { clampLimit, decodeCursor, type Position, pageOf } from '@postrider/shared/domain/page';
import type { Page, PageRequest } from '../contract/page.js';
import type { Moment } from '../ports/list-reads.js';

interface Slice<Place> {
  readonly after: Place | null;
  readonly limit: number;
}

interface Reading<Row, Item, Place> {
  /** Names the list and its owner: a cursor of another list addresses nothing in this one. */
  readonly list: string;
  readonly request: PageRequest;
  readonly read: (slice: Slice<Place>) => Promise<readonly Row[]>;
  readonly show: (row: Row) => Item;
}

/** A page of a list that is ordered newest first on (createdAt, id). */
export function pageNewestFirst<Row extends Moment, Item>(
  reading: Reading<Row, Item, Moment>,
): Promise<Page<Item>> {
  return readPage(reading, {
    placeOf: ([createdAt = '', id = '', ...rest]) => {
      const date = new Date(createdAt);
      return Number.isNaN(date.getTime()) || id === '' || rest.length > 0 ? null : { createdAt: date, id };
    },
    positionOf: ({ createdAt, id }) => [createdAt.toISOString(), id],
  });
}

/** A page of a list that is ordered on id alone, in either direction. */
export function pageById<Row extends { readonly id: string }, Item>(
  reading: Reading<Row, Item, string>,
): Promise<Page<Item>> {
  return readPage(reading, {
    placeOf: ([id = '', ...rest]) => (id === '' || rest.length > 0 ? null : id),
    positionOf: ({ id }) => [id],
  });
}

interface Order<Row, Place> {
  readonly placeOf: (position: Position) => Place | null;
  readonly positionOf: (row: Row) => Position;
}

async function readPage<Row, Item, Place>(
  { list, request, read, show }: Reading<Row, Item, Place>,
  { placeOf, positionOf }: Order<Row, Place>,
): Promise<Page<Item>> {
  const limit = clampLimit(request.limit);
  let after: Place | null = null;
  if (request.cursor !== undefined) {
    const position = decodeCursor(list, request.cursor);
    after = position && placeOf(position);
    if (after === null) return { items: [], nextCursor: null };
  }
  // One row more than the page shows tells whether there is a next page.
  const { items, nextCursor } = pageOf(await read({ after, limit: limit + 1 }), {
    list,
    limit,
    positionOf,
    show,
  });
  return { items: [...items], nextCursor };
}
