import type { Db } from 'mongodb';

/** The space that a database takes. */
export interface DatabaseBytes {
  /** Size of the documents in memory; on disk they are compressed. */
  readonly documents: number;
  /** Indexes on disk, without the space free for further entries. */
  readonly indexes: number;
}

/** Writes everything to disk first, because files grow only then. */
export async function readDatabaseBytes(db: Db): Promise<DatabaseBytes> {
  await db.admin().command({ fsync: 1 });
  const stats = await db.command({ dbStats: 1, freeStorage: 1 });
  return { documents: stats.dataSize, indexes: stats.indexSize - stats.indexFreeStorageSize };
}
