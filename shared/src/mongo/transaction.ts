import { type ClientSession, type MongoClient, MongoServerError } from 'mongodb';
import { abortIdleTransactions } from './abort-idle-transactions.js';

/** Conflicts among those who are alive are over sooner. */
const CONFLICTING_MS = 1_000;
const WRITE_CONFLICT = 112;

/**
 * Runs `work` as one transaction, snapshot in, majority and journal out. It is run again on transient conflicts, so it
 * must have no effect but its writes. When conflicts do not end, whatever was abandoned in the way is ended.
 */
export function inTransaction<T>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  let lookAt = performance.now() + CONFLICTING_MS;
  const workOrMakeWay = async (session: ClientSession) => {
    try {
      return await work(session);
    } catch (error) {
      if (isConflict(error) && performance.now() >= lookAt) {
        // Where that is refused, the server's own limit ends the wait.
        await abortIdleTransactions(client).catch(() => {});
        lookAt = performance.now() + CONFLICTING_MS;
      }
      throw error;
    }
  };
  return client.withSession((session) =>
    session.withTransaction(workOrMakeWay, {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority', journal: true },
      readPreference: 'primary',
    }),
  );
}

function isConflict(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === WRITE_CONFLICT;
}
