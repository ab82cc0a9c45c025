import type { Collection, Filter, WithId } from 'mongodb';
import type { CreationOrder, Slice } from '../ports/reads.js';

export const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;

/** Reads part of a list that is ordered newest first; requires an index that ends in `createdAt, _id`, descending. */
export function findNewestFirst<Row extends { readonly _id: string; readonly createdAt: Date }>(
  collection: Collection<Row>,
  filter: Filter<Row>,
  { after, limit }: Slice<CreationOrder>,
): Promise<WithId<Row>[]> {
  return collection.find(following(filter, after)).sort(NEWEST_FIRST).limit(limit).toArray();
}

/** Restricts a filter to the rows after a position, if there is one. */
export function following<Row>(filter: Filter<Row>, after: CreationOrder | null): Filter<Row> {
  if (after === null) return filter;
  const { createdAt, id } = after;
  const isOlder = [{ createdAt: { $lt: createdAt } }, { _id: { $lt: id } }];
  return { $and: [filter, { createdAt: { $lte: createdAt }, $or: isOlder }] } as Filter<Row>;
}
