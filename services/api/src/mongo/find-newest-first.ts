import type { Collection, Filter, WithId } from 'mongodb';
import type { CreationOrder, Slice } from '../ports/reads.js';

export const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;

/** Reads part of a list that is ordered newest first; requires an index that ends in `createdAt, _id`, descending. */
export function findNewestFirst<Row extends { readonly _id: string; readonly createdAt: Date }>(
  collection: Collection<Row>,
  filter: Filter<Row>,
  { after, limit }: Slice<CreationOrder>,
): Promise<WithId<Row>[]> {
  const page = after === null ? filter : { $and: [filter, olderThan(after)] };
  return collection
    .find(page as Filter<Row>)
    .sort(NEWEST_FIRST)
    .limit(limit)
    .toArray();
}

/** The rows that follow this position. */
export function olderThan({ createdAt, id }: CreationOrder) {
  return { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: id } }] };
}
