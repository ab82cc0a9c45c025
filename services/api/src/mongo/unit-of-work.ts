import { Refusal } from '@postrider/shared/domain/refusal';
import { toDocument } from '@postrider/shared/mongo/documents';
import { type OutboxTransactionParts, outboxTransaction } from '@postrider/shared/mongo/outbox-transaction';
import type { ClientSession } from 'mongodb';
import type { Change, Mutate, Transaction } from '../ports/unit-of-work.js';
import type { AnswerKeeper } from './idempotency.js';
import { transactionRepositories } from './transaction-repositories.js';

interface UnitOfWorkParts extends OutboxTransactionParts {
  /** Null where requests carry no idempotency keys. */
  readonly answers: AnswerKeeper | null;
}

/**
 * A conflict or a passing fault starts a transaction again for this long, in milliseconds. The driver itself would go
 * on for two minutes: its caller has given up by then, and would find the change made all the same.
 */
const RETRIED_FOR_MS = 8_000;

/** State, audit events, outbox records and the kept answer in one transaction; then the records go to the relay. */
export function unitOfWork({ answers, ...parts }: UnitOfWorkParts): Mutate {
  const { collections } = parts.database;
  const transact = outboxTransaction(parts);

  const commit = async <Answer>(
    work: (tx: Transaction) => Promise<Change<Answer>>,
    keep: (answer: Answer, session: ClientSession) => Promise<void>,
  ) => {
    const until = performance.now() + RETRIED_FOR_MS;
    const { result } = await transact(async (session) => {
      if (performance.now() > until) throw givenUp();
      const { answer, audit, outbox } = await work(transactionRepositories(collections, session));
      if (audit.length > 0) await collections.auditEvents.insertMany(audit.map(toDocument), { session });
      await keep(answer, session);
      return { result: answer, records: outbox };
    });
    return result;
  };

  return ({ idempotency }, work) => {
    if (idempotency === null || answers === null) return commit(work, keepNothing);
    return answers.once(idempotency, (claim) =>
      commit(work, (answer, session) => answers.keep(claim, answer, session)),
    );
  };
}

function givenUp(): Refusal {
  return new Refusal('Unavailable', 'The change could not be made in time, and was not made. Try again.');
}

async function keepNothing(): Promise<void> {}
