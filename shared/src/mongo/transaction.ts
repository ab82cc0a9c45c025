import type { ClientSession, MongoClient } from 'mongodb';

/**
 * Runs `work` as one transaction, snapshot in, majority and journal out. The driver runs it again on transient
 * conflicts, so it must have no effect but its writes.
 */
export function inTransaction<T>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  return client.withSession((session) =>
    session.withTransaction(work, {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority', journal: true },
      readPreference: 'primary',
    }),
  );
}
