import type { Document } from '@postrider/shared/mongo/collections';
import { fromDocument } from '@postrider/shared/mongo/documents';
import type { Collection, Filter } from 'mongodb';
import type { ForwardOnId, NewestFirst } from '../ports/list-reads.js';

interface Dated {
  readonly id: string;
  readonly workspaceId: string;
  readonly createdAt: Date;
}

/** Reads a collection newest first; it needs the index `{workspaceId, createdAt, _id}`, both descending. */
export function newestFirst<T extends Dated>(collection: Collection<Document<T>>): NewestFirst<T> {
  return {
    async list(workspaceId, { after, limit }) {
      const past = after && {
        createdAt: { $lte: after.createdAt },
        $or: [{ createdAt: { $lt: after.createdAt } }, { _id: { $lt: after.id } }],
      };
      const rows = await collection
        .find({ workspaceId, ...past } as Filter<Document<T>>)
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .toArray();
      return rows.map((row) => fromDocument<T>(row as Document<T>));
    },
  };
}

/** Reads a collection forward on id; it needs the index `{workspaceId, _id}`. */
export function forwardOnId<T extends { readonly id: string; readonly workspaceId: string }>(
  collection: Collection<Document<T>>,
  only: Filter<Document<T>> = {},
): ForwardOnId<T> {
  return {
    async list(workspaceId, { after, limit }) {
      const past = after === null ? {} : { _id: { $gt: after } };
      const rows = await collection
        .find({ ...only, workspaceId, ...past } as Filter<Document<T>>)
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return rows.map((row) => fromDocument<T>(row as Document<T>));
    },
  };
}
