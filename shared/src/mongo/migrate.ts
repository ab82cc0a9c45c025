import type { Database } from './connect.js';
import { INDEXES } from './indexes.js';

/** Grows with every change that the services need `migrate` for. */
export const SCHEMA_VERSION = 2;

interface MetaDocument {
  readonly _id: 'schema';
  readonly version: number;
}

const COLLECTION_NAMES_EXIST = 48;

/** Creates collections and indexes that are missing, then records the schema version. May run twice, or at once. */
export async function migrateMongo({ db, collections }: Database): Promise<void> {
  await Promise.all(
    Object.entries(INDEXES).map(async ([name, indexes]) => {
      const collection = collections[name as keyof typeof INDEXES];
      await db.createCollection(collection.collectionName).catch((error: { code?: number }) => {
        if (error.code !== COLLECTION_NAMES_EXIST) throw error;
      });
      if (indexes.length > 0) await collection.createIndexes([...indexes]);
    }),
  );
  await db
    .collection<MetaDocument>('meta')
    .updateOne({ _id: 'schema' }, { $max: { version: SCHEMA_VERSION } }, { upsert: true });
}

/** @throws Error that says what to run when the database is not as this version needs it */
export async function checkMongoSchema({ db }: Database): Promise<void> {
  const found = (await db.collection<MetaDocument>('meta').findOne({ _id: 'schema' }))?.version ?? 0;
  if (found < SCHEMA_VERSION) {
    throw new Error(
      `the database has schema version ${found} instead of ${SCHEMA_VERSION}: run "admin migrate"`,
    );
  }
}
