import type { ClientSession } from 'mongodb';
import type { Clock } from '../ports/clock.js';
import type { OutboxRecord, OutboxRelay } from '../ports/outbox.js';
import type { Database } from './connect.js';
import { appendToOutbox } from './outbox-store.js';
import { inTransaction } from './transaction.js';

export interface OutboxTransactionParts {
  readonly database: Database;
  readonly relay: Pick<OutboxRelay, 'offer'>;
  readonly clock: Clock;
  /** How long the sweep leaves new records to their writer, in milliseconds. */
  readonly outboxClaimMs: number;
}

/** The result of a transaction, and its outbox records. */
export interface OutboxTransactionResult<Result> {
  readonly result: Result;
  readonly records: readonly OutboxRecord[];
}

/**
 * Runs transactions with outbox records: the records are stored with the other writes and offered to the relay after
 * the commit. The work may run again, so it must have no effects besides its writes.
 */
export function outboxTransaction({ database, relay, clock, outboxClaimMs }: OutboxTransactionParts) {
  return async <Result>(
    work: (session: ClientSession) => Promise<OutboxTransactionResult<Result>>,
  ): Promise<OutboxTransactionResult<Result>> => {
    const committed = await inTransaction(database.client, async (session) => {
      const claimedUntil = new Date(clock.now().getTime() + outboxClaimMs);
      const outcome = await work(session);
      await appendToOutbox(database.collections, outcome.records, { claimedUntil, session });
      return outcome;
    });
    relay.offer(committed.records);
    return committed;
  };
}
