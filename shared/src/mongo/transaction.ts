import { type ClientSession, type MongoClient, MongoServerError } from 'mongodb';
import { abortIdleTransactions } from './abort-idle-transactions.js';
import { whileRunning } from './running-transactions.js';

/** After how long a conflict, and how often from then on, idle transactions are aborted, in milliseconds. */
const CONFLICTING_MS = 1_000;
const WRITE_CONFLICT = 112;

/**
 * Runs `work` as one transaction with snapshot reads and a journaled majority commit. It is retried on transient
 * conflicts, so it must have no effects besides its writes. Lasting conflicts abort the idle transactions of crashed
 * processes.
 */
export function inTransaction<T>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  let abortIdleAt = performance.now() + CONFLICTING_MS;
  const workOrAbortIdle = async (session: ClientSession) => {
    try {
      return await work(session);
    } catch (error) {
      if (isConflict(error) && performance.now() >= abortIdleAt) {
        // If this is not permitted, the server's own limit ends the wait.
        await abortIdleTransactions(client).catch(() => {});
        abortIdleAt = performance.now() + CONFLICTING_MS;
      }
      throw error;
    }
  };
  const transaction = client.withSession((session) =>
    session.withTransaction(workOrAbortIdle, {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority', journal: true },
      readPreference: 'primary',
    }),
  );
  return whileRunning(client, transaction);
}

function isConflict(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === WRITE_CONFLICT;
}
