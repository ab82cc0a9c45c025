import { randomUUID } from 'node:crypto';
import type { Collection } from 'mongodb';
import type { Database } from './connect.js';

interface LeaseDocument {
  readonly _id: 'migration';
  readonly holder: string;
  /** By the database's clock. */
  readonly until: Date;
}

/** Somebody else is migrating. */
export class LeaseTaken extends Error {
  override readonly name = 'LeaseTaken';
}

/** A holder that died is waited for this long, in milliseconds. */
const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 10_000;

export interface MigrationLease {
  release(): Promise<void>;
}

/**
 * Takes the right to migrate this database and keeps it until it is released or this process dies.
 *
 * @throws LeaseTaken while another process has it
 */
export async function takeMigrationLease({ db }: Database): Promise<MigrationLease> {
  const leases = db.collection<LeaseDocument>('meta');
  const holder = randomUUID();
  await take(leases, holder);
  const renewing = setInterval(() => {
    // A renewal that fails costs nothing by itself: what migrates may run twice.
    take(leases, holder).catch(() => {});
  }, RENEW_EVERY_MS);
  return {
    async release() {
      clearInterval(renewing);
      await leases.deleteOne({ _id: 'migration', holder });
    },
  };
}

/** One step in the database: it compares by its own clock, writes if the lease is free or ours, and tells whose it is. */
async function take(leases: Collection<LeaseDocument>, holder: string): Promise<void> {
  const isFree = { $or: [{ $lt: ['$until', '$$NOW'] }, { $eq: ['$holder', holder] }] };
  const until = { $dateAdd: { startDate: '$$NOW', unit: 'millisecond', amount: LEASE_MS } };
  const taken = {
    holder: { $cond: [isFree, holder, '$holder'] },
    until: { $cond: [isFree, until, '$until'] },
  };
  const options = { upsert: true, returnDocument: 'after' } as const;
  const lease = await leases.findOneAndUpdate({ _id: 'migration' }, [{ $set: taken }], options);
  if (lease?.holder !== holder) throw new LeaseTaken('another "admin migrate" is at work');
}
