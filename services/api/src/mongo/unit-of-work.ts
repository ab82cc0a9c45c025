import type { Delivery } from '@postrider/shared/domain/delivery';
import { createdOutcomes } from '@postrider/shared/domain/delivery-outcome';
import { toDocument } from '@postrider/shared/mongo/documents';
import { type OutboxTransactionParts, outboxTransaction } from '@postrider/shared/mongo/outbox-transaction';
import type { ReportOutcomes } from '@postrider/shared/ports/outcomes';
import type { ClientSession } from 'mongodb';
import { Refusal } from '../domain/refusal.js';
import type { Change, Mutate, Transaction } from '../ports/unit-of-work.js';
import type { IdempotencyStore } from './idempotency.js';
import { createTransactionRepositories } from './transaction-repositories.js';

interface UnitOfWorkParts extends OutboxTransactionParts {
  /** Null where requests have no idempotency keys. */
  readonly idempotencyStore: IdempotencyStore | null;
  /** Receives the deliveries that were created. */
  readonly report: ReportOutcomes;
}

/**
 * How long a transaction is retried after conflicts and transient errors. The driver itself retries for two minutes; by
 * then the caller has given up, and the change would be made all the same. The transaction of a killed process is
 * aborted before (`abortIdleTransactions`), and the time limit of a response is longer.
 */
export const CHANGE_WITHIN_MS = 8_000;

/** Writes state, audit events, outbox records and the stored result in one transaction, then offers the records to the relay. */
export function createUnitOfWork({ idempotencyStore, report, ...parts }: UnitOfWorkParts): Mutate {
  const { collections } = parts.database;
  const transact = outboxTransaction(parts);

  const commit = async <Result>(
    work: (tx: Transaction) => Promise<Change<Result>>,
    saveResult: (change: Change<Result>, session: ClientSession) => Promise<void>,
  ) => {
    const until = performance.now() + CHANGE_WITHIN_MS;
    const { result } = await transact(async (session) => {
      if (performance.now() > until) throw changeTimedOut();
      const created: Delivery[] = [];
      const repositories = createTransactionRepositories(collections, session, parts.clock);
      const change = await work(noteCreated(repositories, created));
      const { audit, outbox } = change;
      // There is nearly always one event, for which the driver's bulk insert costs twice as much.
      for (const event of audit) await collections.auditEvents.insertOne(toDocument(event), { session });
      await saveResult(change, session);
      return { result: { ...change, created }, records: outbox };
    });
    report(createdOutcomes(result.created, parts.clock.now()));
    return result.result;
  };

  return ({ idempotency }, work) => {
    if (idempotency === null || idempotencyStore === null) return commit(work, async () => {});
    return idempotencyStore.runOnce(idempotency, (claim) =>
      commit(work, (change, session) => idempotencyStore.saveResult(claim, change, session)),
    );
  };
}

/** Adds the deliveries that a transaction inserts to `created`. */
function noteCreated(transaction: Transaction, created: Delivery[]): Transaction {
  const { deliveries } = transaction;
  return {
    ...transaction,
    deliveries: {
      ...deliveries,
      async insert(delivery) {
        await deliveries.insert(delivery);
        created.push(delivery);
      },
    },
  };
}

export function changeTimedOut(): Refusal {
  return new Refusal('Unavailable', 'The change timed out and was not made. Try again.');
}
