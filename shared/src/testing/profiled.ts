import type { Db, Document } from 'mongodb';

const PROFILE = 'system.profile';

/** The server's profile of one operation. */
export interface Operation {
  readonly ns: string;
  readonly op: string;
  /** `IXSCAN { … }`, `IDHACK`, `COLLSCAN` and so on; absent for operations without a plan. */
  readonly planSummary?: string;
  readonly keysExamined?: number;
  readonly docsExamined?: number;
  /** The documents of the answer. */
  readonly nreturned?: number;
  /** How often it let others work in between, which an operation in a transaction never does. */
  readonly numYield?: number;
  /** The size of the answer in bytes. */
  readonly responseLength?: number;
  /** Whether the server sorted in memory, because no index provided the order. */
  readonly hasSortStage?: boolean;
  readonly command: Document;
}

/** The condition of operations that failed because of another transaction, for the server's profiler. */
export const CONFLICTED: Document = { errCode: 112 };

/**
 * Runs `work` and returns how the server executed each of its operations, including those in transactions.
 *
 * @param condition of the operations that are recorded; all by default. The profile has room for a megabyte
 */
export async function profiled(
  db: Db,
  work: () => Promise<unknown>,
  condition?: Document,
): Promise<readonly Operation[]> {
  const stop = await profile(db, condition);
  try {
    await work();
  } finally {
    await stop();
  }
  const operations = await readProfile(db);
  await db.collection(PROFILE).drop();
  return operations;
}

/** Records the operations that meet the condition, all by default. @returns ends it */
export async function profile(db: Db, condition?: Document): Promise<() => Promise<unknown>> {
  await db.command(condition === undefined ? { profile: 2 } : { profile: 1, filter: condition });
  return () => db.command({ profile: 0, filter: 'unset' });
}

/** What was recorded so far. */
export async function readProfile(db: Db): Promise<readonly Operation[]> {
  const own = { ns: { $ne: `${db.databaseName}.${PROFILE}` }, 'command.profile': { $exists: false } };
  return db.collection<Operation>(PROFILE).find(own).toArray();
}
