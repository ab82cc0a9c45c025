import type { Db } from 'mongodb';

/** What a database takes. */
export interface DatabaseBytes {
  /** Documents as they are in memory; on disk they take less, as far as their content can be compressed. */
  readonly documents: number;
  /** Indexes on disk, without what is free for the next entries. */
  readonly indexes: number;
}

/** Writes everything to disk first, because files grow only then. */
export async function readDatabaseBytes(db: Db): Promise<DatabaseBytes> {
  await db.admin().command({ fsync: 1 });
  const stats = await db.command({ dbStats: 1, freeStorage: 1 });
  return { documents: stats.dataSize, indexes: stats.indexSize - stats.indexFreeStorageSize };
}
