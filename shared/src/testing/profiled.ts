import type { Db, Document } from 'mongodb';

/** One operation as the server ran it. */
export interface Operation {
  readonly ns: string;
  readonly op: string;
  /** `IXSCAN { … }`, `IDHACK`, `COLLSCAN` and so on; missing where no plan was needed. */
  readonly planSummary?: string;
  readonly keysExamined?: number;
  readonly docsExamined?: number;
  /** The server sorted in memory, because no index had the order. */
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
