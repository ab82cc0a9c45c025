import type { Collection, Document, Filter, FindOptions, MongoClient } from 'mongodb';
import { ANSWER_WITHIN_MS } from '../domain/answer-within.js';

/** Maximum number of rows that are read for one page; the next page continues from there. */
export const MAX_ROWS_READ = 100_000;

interface ListedRow {
  readonly _id: string;
  readonly workspaceId: string;
  readonly createdAt: Date;
}

/** A query in two parts: reading in the order of an index, and conditions on the rows that were read. */
export interface TwoPartQuery<Row> {
  readonly indexed: Filter<Row>;
  /** Null if the index serves all conditions. */
  readonly others: Filter<Row> | null;
}

interface BoundedList<Row extends ListedRow> {
  readonly client: MongoClient;
  readonly collection: Collection<Row>;
  /** The order of the list and of the indexes that serve its queries. */
  readonly sort: Readonly<Record<string, -1>>;
  readonly maxRowsRead: number;
}

/** How a page is read besides its conditions. */
export interface PageOptions {
  readonly limit: number;
  /** Further stages for the rows of the page. */
  readonly stages: readonly Document[];
  /** The index to use; the database chooses one if this is absent. */
  readonly hint?: Readonly<Record<string, 1>>;
}

/** @returns a function that reads the rows of a page, and returns the last row read if reading stopped there */
export function createBoundedRead<Row extends ListedRow, Found extends Document = Row>({
  client,
  collection,
  sort,
  maxRowsRead,
}: BoundedList<Row>) {
  /** The last row that may be read; null if there are fewer rows. */
  const boundOf = (indexed: Filter<Row>, options: FindOptions) =>
    collection.findOne<ListedRow>(indexed, {
      projection: { workspaceId: 1, createdAt: 1 },
      sort,
      skip: maxRowsRead - 1,
      ...options,
    });
  return async ({ indexed, others, limit, stages, hint }: TwoPartQuery<Row> & PageOptions) => {
    // The request has been answered by then, so its query ends as well.
    const options = { maxTimeMS: ANSWER_WITHIN_MS, ...(hint && { hint }) };
    if (others === null) {
      const pipeline = [{ $match: indexed }, { $sort: sort }, { $limit: limit }, ...stages];
      return { rows: await collection.aggregate<Found>(pipeline, options).toArray(), bound: null };
    }
    const pipeline = [
      { $match: indexed },
      { $sort: sort },
      { $limit: maxRowsRead },
      { $match: others },
      { $limit: limit },
      ...stages,
    ];
    // One snapshot: rows that are inserted meanwhile would move the bound to rows that the page has already.
    return client.withSession({ snapshot: true }, async (session) => {
      const rows = await collection.aggregate<Found>(pipeline, { ...options, session }).toArray();
      return { rows, bound: rows.length < limit ? await boundOf(indexed, { ...options, session }) : null };
    });
  };
}
