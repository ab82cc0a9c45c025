import { isDatabaseAway } from '@postrider/shared/mongo/database-away';
import { type OutboxTransactionParts, outboxTransaction } from '@postrider/shared/mongo/outbox-transaction';
import type { IdempotentRequest, Mutate, NewEvents, StoreEvents } from '../ports/unit-of-work.js';
import type { IdempotencyStore } from './idempotency.js';
import { shareRounds } from './share-rounds.js';
import { CHANGE_WITHIN_MS, changeTimedOut } from './unit-of-work.js';

interface EventStoreParts extends OutboxTransactionParts {
  readonly idempotencyStore: Pick<IdempotencyStore, 'saveNew'>;
  /** Stores the events of one request in a transaction of its own. */
  readonly mutate: Mutate;
}

interface EventRequest {
  readonly idempotency: IdempotentRequest | null;
  readonly create: () => NewEvents<unknown>;
}

/** Maximum number of concurrent transactions; requests that arrive meanwhile share the next one. */
const CONCURRENT_TRANSACTIONS = 2;
/** Bodies have up to 256 KiB, so a transaction has up to 8 MiB. */
const REQUESTS_PER_TRANSACTION = 32;
/** How long a shared transaction is retried, in milliseconds: after that, one request's conflict must not delay the others. */
const RETRY_MS = 250;

/**
 * Stores events in transactions that concurrent requests share. The key of a request is claimed and answered by one
 * write, as nothing else happens meanwhile. Requests that cannot be decided together are handled one by one: those whose key
 * exists, and those whose shared transaction is rejected.
 */
export function createEventStore({ idempotencyStore, mutate, ...parts }: EventStoreParts): StoreEvents {
  const transact = outboxTransaction(parts);

  const storeAlone = ({ idempotency, create }: EventRequest) =>
    mutate({ idempotency }, async () => ({ ...create(), audit: [] }));

  /** @returns the result of each request; null where its key exists, and nothing was stored for it */
  const storeTogether = async (requests: readonly EventRequest[]) => {
    const until = performance.now() + RETRY_MS;
    const { result } = await transact(async (session) => {
      if (performance.now() > until) throw new Error('a shared transaction has conflicts');
      const created = requests.map(({ create, idempotency }) => ({ ...create(), idempotency }));
      const isNew = await idempotencyStore.saveNew(created, session);
      const stored = created.map((events, index) => (isNew[index] ? events : null));
      return { result: stored, records: stored.flatMap((events) => events?.outbox ?? []) };
    });
    return result;
  };

  const store = shareRounds<EventRequest, unknown>({
    concurrency: CONCURRENT_TRANSACTIONS,
    maxItems: REQUESTS_PER_TRANSACTION,
    maxWaitMs: CHANGE_WITHIN_MS,
    tooLate: changeTimedOut,
    monotonicMs: () => performance.now(),
    async handle(requests) {
      try {
        const stored = await storeTogether(requests);
        return requests.map(async (request, index) => {
          const events = stored[index] ?? null;
          return events === null ? storeAlone(request) : events.result;
        });
      } catch (error) {
        // It may have been committed.
        if (isDatabaseAway(error)) throw error;
        return requests.map(storeAlone);
      }
    },
  });
  return <Result>({ idempotency }: Pick<EventRequest, 'idempotency'>, create: () => NewEvents<Result>) =>
    store({ idempotency, create }) as Promise<Result>;
}
