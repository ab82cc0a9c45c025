import type { SealedSecret } from '@postrider/shared/domain/sealed-secret';
import type { Collections } from '@postrider/shared/mongo/collections';
import type { Collection, Db, Filter } from 'mongodb';

/** All encrypted values of one collection. */
export interface SealedRows {
  /** Shown to the operator. */
  readonly title: string;
  /** Counts the encrypted values per key. */
  countByKey(): Promise<ReadonlyMap<string, number>>;
  /** The next rows, by id, with a value that is encrypted with a key other than this one. */
  encryptedWithOtherKey(keyId: string, after: string, limit: number): Promise<readonly SealedRow[]>;
  /** Replaces exactly these ciphertexts. @returns false when one of them was changed concurrently */
  replace(row: SealedRow, boxes: readonly SealedBox[]): Promise<boolean>;
}

export interface SealedRow {
  /** Authenticated data of each ciphertext. */
  readonly id: string;
  /** Null for rows of no single workspace. */
  readonly workspaceId: string | null;
  readonly boxes: readonly SealedBox[];
}

export interface SealedBox {
  /** Its path in the document. */
  readonly path: string;
  readonly sealed: SealedSecret;
}

interface Sealed {
  readonly _id: string;
  readonly workspaceId?: string;
}

/** Every place where encrypted values are stored. */
export function createSealedRows({
  db,
  collections,
}: {
  db: Db;
  collections: Collections;
}): readonly SealedRows[] {
  const { endpoints, idempotencyKeys } = collections;
  return [
    rowsOf(db.collection(endpoints.collectionName), 'signing secrets', [
      'secrets.current',
      'secrets.previous.secret',
    ]),
    rowsOf(db.collection(endpoints.collectionName), 'request headers', ['headers.sealed']),
    rowsOf(db.collection(idempotencyKeys.collectionName), 'kept answers', ['answer']),
  ];
}

function rowsOf(collection: Collection<Sealed>, title: string, paths: readonly string[]): SealedRows {
  return {
    title,
    async countByKey() {
      const keyIds = paths.map((path) => ({ $ifNull: [`$${path}.keyId`, null] }));
      const groups = await collection
        .aggregate<{ _id: string; count: number }>([
          { $project: { keyId: keyIds } },
          { $unwind: '$keyId' },
          { $match: { keyId: { $ne: null } } },
          { $group: { _id: '$keyId', count: { $sum: 1 } } },
        ])
        .toArray();
      return new Map(groups.map(({ _id, count }) => [_id, count]));
    },
    async encryptedWithOtherKey(keyId, after, limit) {
      const other = paths.map((path) => ({ [`${path}.keyId`]: { $exists: true, $ne: keyId } }));
      const projection = Object.fromEntries(['workspaceId', ...paths].map((path) => [path, 1]));
      const rows = await collection
        .find({ _id: { $gt: after }, $or: other } as Filter<Sealed>, { projection })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return rows.map((row) => ({
        id: row._id,
        workspaceId: row.workspaceId ?? null,
        boxes: paths.flatMap((path) => boxAt(row, path, keyId)),
      }));
    },
    async replace({ id, boxes: before }, boxes) {
      const same = Object.fromEntries(before.map(({ path, sealed }) => [`${path}.box`, sealed.box]));
      const $set = Object.fromEntries(boxes.map(({ path, sealed }) => [path, sealed]));
      const replaced = await collection.updateOne({ _id: id, ...same } as Filter<Sealed>, { $set });
      return replaced.matchedCount === 1;
    },
  };
}

function boxAt(row: object, path: string, keyId: string): SealedBox[] {
  const found = path
    .split('.')
    .reduce<unknown>((value, field) => (value as Record<string, unknown> | null)?.[field], row);
  const sealed = found as SealedSecret | null | undefined;
  return sealed == null || sealed.keyId === keyId ? [] : [{ path, sealed }];
}
