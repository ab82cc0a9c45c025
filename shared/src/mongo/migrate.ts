import { NEWEST_LEVEL } from '../domain/feature-level.js';
import type { Database } from './connect.js';
import { createFeatureLevelStore } from './feature-level-store.js';
import { INDEXES } from './indexes.js';
import { missingIndexes } from './missing-indexes.js';

/** Incremented by every change that requires `admin migrate`. */
export const SCHEMA_VERSION = 4;

interface MetaDocument {
  readonly _id: 'schema';
  readonly version: number;
}

const COLLECTION_NAMES_EXIST = 48;

/**
 * Creates missing collections and indexes, then records the schema version. Idempotent, also concurrently. A new
 * installation starts at the newest feature level; the level of an existing one is raised by its processes.
 */
export async function migrateMongo(database: Database): Promise<void> {
  const { db, collections } = database;
  const schema = await db.collection<MetaDocument>('meta').findOne({ _id: 'schema' });
  if (schema === null) await createFeatureLevelStore(database).begin(NEWEST_LEVEL);
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

/** @throws Error that names the command to run if the schema is older than this version needs, or lacks indexes that it needs */
export async function checkMongoSchema(database: Database): Promise<void> {
  await checkSchemaVersion(database);
  // A restored database may have the version without the indexes.
  const missing = await missingIndexes(database);
  if (missing.length === 0) return;
  const named = missing.slice(0, NAMED_INDEXES).join(', ');
  const others = missing.length > NAMED_INDEXES ? ` and ${missing.length - NAMED_INDEXES} more` : '';
  throw new Error(
    `the database lacks the indexes ${named}${others}: run "admin migrate", or wait for the one that builds them`,
  );
}

/** How many missing indexes an error names at most. */
const NAMED_INDEXES = 5;

/** @throws Error that names the command to run if the schema is older than this version needs */
export async function checkSchemaVersion({ db }: Pick<Database, 'db'>): Promise<void> {
  const found = (await db.collection<MetaDocument>('meta').findOne({ _id: 'schema' }))?.version ?? 0;
  if (found < SCHEMA_VERSION) {
    throw new Error(
      `the database has schema version ${found} instead of ${SCHEMA_VERSION}: run "admin migrate"`,
    );
  }
}
