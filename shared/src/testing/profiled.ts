import type { Db, Document } from 'mongodb';

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
  /** The size of the answer in bytes. */
  readonly responseLength?: number;
  /** Whether the server sorted in memory, because no index provided the order. */
  readonly hasSortStage?: boolean;
  readonly command: Document;
}

/** Runs `work` and returns how the server executed each of its operations, including those in transactions. */
export async function profiled(db: Db, work: () => Promise<unknown>): Promise<readonly Operation[]> {
  await db.command({ profile: 2 });
  try {
    await work();
  } finally {
    await db.command({ profile: 0 });
  }
  const profile = db.collection<Operation>('system.profile');
  const operations = await profile.find({ ns: { $ne: `${db.databaseName}.system.profile` } }).toArray();
  await profile.drop();
  return operations.filter(({ command }) => command.profile === undefined);
}
