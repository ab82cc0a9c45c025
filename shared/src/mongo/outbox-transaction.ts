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
  /** How long the sweepers leave the records to their writer, in milliseconds. */
  readonly outboxClaimMs: number;
}

/** What a transaction has to do: its result, and the messages that it promises. */
export interface OutboxTransactionResult<Result> {
  readonly result: Result;
  readonly records: readonly OutboxRecord[];
}

/**
 * Runs transactions that promise messages: the records are stored with whatever else the work writes, and go to the
 * relay once all of it is there. The work may run again, so it must have no effect but its writes.
 */
export function outboxTransaction({ database, relay, clock, outboxClaimMs }: OutboxTransactionParts) {
  return async <Result>(
    work: (session: ClientSession) => Promise<OutboxTransactionResult<Result>>,
  ): Promise<OutboxTransactionResult<Result>> => {
    const promising = await inTransaction(database.client, async (session) => {
      const claimedUntil = new Date(clock.now().getTime() + outboxClaimMs);
      const promising = await work(session);
      await appendToOutbox(database.collections, promising.records, { claimedUntil, session });
      return promising;
    });
    relay.offer(promising.records);
    return promising;
  };
}
