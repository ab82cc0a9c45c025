import { randomUUID } from 'node:crypto';
import type { Collection } from 'mongodb';
import type { Wait } from '../runtime/retry-until.js';
import { whileRenewing } from '../runtime/while-renewing.js';
import type { Database } from './connect.js';

interface LeaseDocument {
  readonly _id: 'migration';
  readonly holder: string;
  /** By the database's clock. */
  readonly until: Date;
}

/** Another process is migrating. */
export class LeaseTaken extends Error {
  override readonly name = 'LeaseTaken';
}

/** The lease of a crashed holder expires after this, in milliseconds. */
const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 10_000;

export interface MigrationLease {
  /** @throws LeaseTaken if it expired and another process holds it: harmless, because the migration is idempotent */
  renew(): Promise<void>;
  release(): Promise<void>;
}

/** Waits for the lease, and does the work while it is held and renewed. */
export async function withMigrationLease<Result>(
  database: Pick<Database, 'db'>,
  wait: Wait,
  work: () => Promise<Result>,
): Promise<Result> {
  const lease = await wait('migration', () => takeMigrationLease(database));
  try {
    return await whileRenewing(lease.renew, RENEW_EVERY_MS, work);
  } finally {
    await lease.release();
  }
}

/**
 * Acquires the lease for migrating this database.
 *
 * @throws LeaseTaken while another process holds it
 */
export async function takeMigrationLease({ db }: Pick<Database, 'db'>): Promise<MigrationLease> {
  const leases = db.collection<LeaseDocument>('meta');
  const holder = randomUUID();
  await take(leases, holder);
  return {
    renew: () => take(leases, holder),
    async release() {
      await leases.deleteOne({ _id: 'migration', holder });
    },
  };
}

/** One atomic update by the database's clock. It writes if the lease is free or held by `holder`. @throws LeaseTaken */
async function take(leases: Collection<LeaseDocument>, holder: string): Promise<void> {
  const isFree = { $or: [{ $lt: ['$until', '$$NOW'] }, { $eq: ['$holder', holder] }] };
  const until = { $dateAdd: { startDate: '$$NOW', unit: 'millisecond', amount: LEASE_MS } };
  const taken = {
    holder: { $cond: [isFree, holder, '$holder'] },
    until: { $cond: [isFree, until, '$until'] },
  };
  const options = { upsert: true, returnDocument: 'after' } as const;
  const lease = await leases.findOneAndUpdate({ _id: 'migration' }, [{ $set: taken }], options);
  if (lease?.holder !== holder) throw new LeaseTaken('another "admin migrate" is running');
}
