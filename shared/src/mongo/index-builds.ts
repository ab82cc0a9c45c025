import type { Document } from 'mongodb';
import type { Database } from './connect.js';
import { type MissingKeys, missingKeys } from './missing-indexes.js';

/** The indexes of a collection that are being built, or are about to be. */
export interface IndexBuild extends MissingKeys {
  /** Null if the server reports none: the build waits, or the user of the database may not see it. */
  readonly progress: BuildProgress | null;
}

interface BuildProgress {
  /** As the server calls it, like `scanning collection`. */
  readonly phase: string;
  /** Null between the steps of a phase. */
  readonly counts: BuildCounts | null;
}

interface BuildCounts {
  readonly done: number;
  /** An estimate, which may be exceeded. */
  readonly total: number;
}

/** Like `Index Build: scanning collection Index Build: scanning collection: 1500/6000 25%`. */
const PHASE = /^Index Build: (.+?)(?= Index Build: |: \d|$)/;

/** Reads which declared indexes are missing or being built, with the progress of each build. */
export async function readIndexBuilds(
  database: Pick<Database, 'client' | 'db' | 'collections'>,
): Promise<readonly IndexBuild[]> {
  const [missing, operations] = await Promise.all([missingKeys(database), buildOperations(database)]);
  return missing.map((keys) => {
    const ns = `${database.db.databaseName}.${keys.collection}`;
    const operation = operations.find((found) => found.ns === ns);
    return { ...keys, progress: operation === undefined ? null : progressOf(operation) };
  });
}

/**
 * The server builds indexes in operations of its own. To see them, a user needs the privilege `inprog`, which `readWrite` does
 * not include.
 */
async function buildOperations({ client }: Pick<Database, 'client'>): Promise<readonly Document[]> {
  const operations = client
    .db('admin')
    .aggregate([
      { $currentOp: { allUsers: true } },
      { $match: { msg: /^Index Build: / } },
      { $project: { ns: 1, msg: 1, progress: 1 } },
    ]);
  return operations.toArray().catch(() => []);
}

function progressOf({ msg, progress }: Document): BuildProgress {
  const [, phase = 'building'] = PHASE.exec(msg) ?? [];
  const total = Number(progress?.total ?? 0);
  return { phase, counts: total > 0 ? { done: Number(progress.done), total } : null };
}

/** @returns like `outbox {dueAt: 1}: scanning collection, 1500 of about 6000 (25 %)` */
export function describeIndexBuild({ collection, keys, progress }: IndexBuild): string {
  const named = `${collection} ${keys.join(', ')}`;
  if (progress === null) return named;
  const { phase, counts } = progress;
  if (counts === null) return `${named}: ${phase}`;
  const { done, total } = counts;
  const percent = Math.min(100, Math.floor((100 * done) / total));
  return `${named}: ${phase}, ${done} of about ${total} (${percent} %)`;
}
