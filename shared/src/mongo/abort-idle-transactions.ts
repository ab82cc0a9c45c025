import type { Document, MongoClient } from 'mongodb';

/**
 * Idle time, in milliseconds, after which a transaction is aborted: those in use are idle for milliseconds only. Callers
 * retry for longer than this, so a crashed process makes no request fail.
 */
const IDLE_AFTER_MS = 5_000;

/**
 * Aborts transactions of crashed processes. The server keeps their rows locked until the transaction is older than
 * `transactionLifetimeLimitSeconds`, a minute by default:
 * https://www.mongodb.com/docs/manual/core/transactions-production-consideration/. The transaction of a process that
 * was only frozen fails when the process continues, and is retried.
 *
 * Considers transactions of the same database user only, which needs no privilege.
 */
export async function abortIdleTransactions(client: MongoClient): Promise<void> {
  const admin = client.db('admin');
  const idle = await admin
    .aggregate<Document>([
      { $currentOp: { allUsers: false, idleSessions: true } },
      {
        $match: {
          type: 'idleSession',
          'transaction.timeInactiveMicros': { $gt: IDLE_AFTER_MS * 1_000 },
        },
      },
      { $project: { id: '$lsid.id' } },
    ])
    .toArray();
  if (idle.length === 0) return;
  await admin.command({ killSessions: idle.map(({ id }) => ({ id })) });
}

/** How long a statement waits for locks before it looks for abandoned transactions, and how often then, in milliseconds. */
const POLL_EVERY_MS = 1_000;

/**
 * Waits for a statement outside transactions. The server lets it wait for the locks of transactions, and reports no
 * conflict: while it waits, those of crashed processes are aborted.
 */
export async function abortingIdleTransactions<T>(client: MongoClient, statement: Promise<T>): Promise<T> {
  // If this is not permitted, the server's own limit ends the wait.
  const timer = setInterval(() => void abortIdleTransactions(client).catch(() => {}), POLL_EVERY_MS);
  try {
    return await statement;
  } finally {
    clearInterval(timer);
  }
}
