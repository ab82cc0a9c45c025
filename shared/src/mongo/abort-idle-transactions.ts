import type { Document, MongoClient } from 'mongodb';

/** Whoever works at a transaction leaves it alone for milliseconds, not for so long. */
const IDLE_AFTER_MS = 10_000;

/**
 * Ends transactions that nobody works at any more. A process that is killed within one cannot tell the server, which
 * keeps its rows locked until the transaction has lived for a minute (`transactionLifetimeLimitSeconds`) and a while
 * longer: https://www.mongodb.com/docs/manual/core/transactions-production-consideration/. One whose process is only
 * frozen fails when that goes on, and is run again.
 *
 * It looks at the transactions of the same database user alone, and needs no right to do so.
 */
export async function abortIdleTransactions(client: MongoClient): Promise<void> {
  const admin = client.db('admin');
  const abandoned = await admin
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
  if (abandoned.length === 0) return;
  await admin.command({ killSessions: abandoned.map(({ id }) => ({ id })) });
}
