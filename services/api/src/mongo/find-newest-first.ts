import type { Collection, Filter, WithId } from 'mongodb';
import type { CreationOrder, Slice } from '../ports/reads.js';

/** Reads part of a list that is ordered newest first; requires an index that ends in `createdAt, _id`, descending. */
export function findNewestFirst<Row extends { readonly _id: string; readonly createdAt: Date }>(
  collection: Collection<Row>,
  filter: Filter<Row>,
  { after, limit }: Slice<CreationOrder>,
): Promise<WithId<Row>[]> {
  const older = after && {
    createdAt: { $lte: after.createdAt },
    $or: [{ createdAt: { $lt: after.createdAt } }, { _id: { $lt: after.id } }],
  };
  const page = older === null ? filter : { $and: [filter, older] };
  return collection
    .find(page as Filter<Row>)
    .sort({ createdAt: -1, _id: -1 })
    .limit(limit)
    .toArray();
}
