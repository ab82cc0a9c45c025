import { type MongoClient, MongoTopologyClosedError } from 'mongodb';
import { waitAtMost } from '../runtime/with-timeout.js';

/** The transactions of a client that is open, or whether it was closed without waiting for them any longer. */
interface Transactions {
  readonly running: Set<Promise<unknown>>;
  cutOff: boolean;
}

const ofClients = new WeakMap<MongoClient, Transactions>();

function transactionsOf(client: MongoClient): Transactions {
  const known = ofClients.get(client);
  if (known !== undefined) return known;
  const created: Transactions = { running: new Set(), cutOff: false };
  ofClients.set(client, created);
  return created;
}

/**
 * Counts a transaction as running until it settles. If its client was closed meanwhile, it ends with `MongoTopologyClosedError`:
 * the driver aborts it, and reports success if that was before the commit, or contradictory states.
 */
export async function whileRunning<T>(client: MongoClient, transaction: Promise<T>): Promise<T> {
  const transactions = transactionsOf(client);
  transactions.running.add(transaction);
  try {
    await Promise.allSettled([transaction]);
    if (transactions.cutOff) throw new MongoTopologyClosedError();
    return await transaction;
  } finally {
    transactions.running.delete(transaction);
  }
}

/** Waits until no transaction of a client runs, for at most `limitMs`, then closes it. */
export async function closeAfterTransactions(client: MongoClient, limitMs: number): Promise<void> {
  const transactions = transactionsOf(client);
  const drain = async () => {
    while (transactions.running.size > 0) await Promise.allSettled(transactions.running);
  };
  await waitAtMost(drain(), limitMs);
  transactions.cutOff = true;
  await client.close();
}
