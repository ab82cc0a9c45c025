import type { Document, IndexDescription } from 'mongodb';
import type { Database } from './connect.js';
import { INDEXES } from './indexes.js';

const NO_COLLECTION = 26;

/** A complete index in a list. One that is being built has `spec` and `buildUUID` instead. */
interface Listed {
  readonly key?: Document;
}

/** The indexes that a collection lacks. */
export interface MissingKeys {
  readonly collection: string;
  /** At least one, like `{dueAt: 1}`. */
  readonly keys: readonly string[];
}

/**
 * The declared indexes that do not exist or are still being built, by collection. Additional ones do not matter: those of newer
 * versions, and others with the same keys.
 */
export async function missingKeys({
  db,
  collections,
}: Pick<Database, 'db' | 'collections'>): Promise<readonly MissingKeys[]> {
  const missing = Object.entries(INDEXES).map(async ([name, indexes]) => {
    if (indexes.length === 0) return [];
    const { collectionName: collection } = collections[name as keyof typeof INDEXES];
    const built = await builtKeys(db, collection);
    const keys = indexes.map(({ key }) => nameOf(key)).filter((key) => !built.has(key));
    return keys.length === 0 ? [] : [{ collection, keys }];
  });
  return (await Promise.all(missing)).flat();
}

/** The same as a list, like `outbox {dueAt: 1}`. */
export async function missingIndexes(database: Pick<Database, 'db' | 'collections'>): Promise<string[]> {
  const missing = await missingKeys(database);
  return missing.flatMap(({ collection, keys }) => keys.map((key) => `${collection} ${key}`));
}

/** Without the option, indexes that are being built are listed like complete ones. */
async function builtKeys(db: Pick<Database['db'], 'runCursorCommand'>, collectionName: string) {
  const listed: readonly Listed[] = await db
    .runCursorCommand({ listIndexes: collectionName, includeBuildUUIDs: true })
    .toArray()
    .catch((error: { code?: number }) => {
      if (error.code !== NO_COLLECTION) throw error;
      return [];
    });
  return new Set(listed.flatMap(({ key }) => (key === undefined ? [] : [nameOf(key)])));
}

function nameOf(key: IndexDescription['key'] | Document): string {
  const fields = Object.entries(key).map(([field, order]) => `${field}: ${order}`);
  return `{${fields.join(', ')}}`;
}
