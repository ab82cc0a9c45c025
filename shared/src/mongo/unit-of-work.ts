import type { ClientSession } from 'mongodb';
import { Refusal } from '../domain/refusal.js';
import type { Clock } from '../ports/clock.js';
import type { OutboxRelay } from '../ports/outbox.js';
import type { Change, Mutate, Transaction } from '../ports/unit-of-work.js';
import type { Database } from './connect.js';
import { toDocument } from './documents.js';
import type { AnswerKeeper } from './idempotency.js';
import { transactionOf } from './kept.js';
import { promise } from './outbox-store.js';
import { inTransaction } from './transaction.js';

interface UnitOfWorkParts {
  readonly database: Database;
  readonly relay: Pick<OutboxRelay, 'offer'>;
  readonly clock: Clock;
  readonly outboxClaimMs: number;
  /** Null where requests carry no idempotency keys. */
  readonly answers: AnswerKeeper | null;
}

/**
 * A conflict or a passing fault starts a transaction again for this long, in milliseconds. The driver itself would go
 * on for two minutes: its caller has given up by then, and would find the change made all the same.
 */
const RETRIED_FOR_MS = 8_000;

/** State, audit events, outbox records and the kept answer in one transaction; then the records go to the relay. */
export function unitOfWork({ database, relay, clock, outboxClaimMs, answers }: UnitOfWorkParts): Mutate {
  const { client, collections } = database;

  const write = async ({ audit, outbox }: Change<unknown>, session: ClientSession) => {
    const claimedUntil = new Date(clock.now().getTime() + outboxClaimMs);
    if (audit.length > 0) await collections.auditEvents.insertMany(audit.map(toDocument), { session });
    await promise(collections, outbox, { claimedUntil, session });
  };
  const commit = async <Answer>(
    work: (tx: Transaction) => Promise<Change<Answer>>,
    keep: (answer: Answer, session: ClientSession) => Promise<void>,
  ) => {
    const until = performance.now() + RETRIED_FOR_MS;
    const { answer, outbox } = await inTransaction(client, async (session) => {
      if (performance.now() > until) throw givenUp();
      const change = await work(transactionOf(collections, session));
      await write(change, session);
      await keep(change.answer, session);
      return change;
    });
    relay.offer(outbox);
    return answer;
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
