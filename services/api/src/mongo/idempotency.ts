import { createHash, randomUUID } from 'node:crypto';
import { abortingIdleTransactions } from '@postrider/shared/mongo/abort-idle-transactions';
import type { IdempotencyDocument } from '@postrider/shared/mongo/collections';
import { inTransaction } from '@postrider/shared/mongo/transaction';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Sealing } from '@postrider/shared/ports/sealing';
import { doublingPauseMs } from '@postrider/shared/runtime/doubling-pause';
import type { ClientSession, Collection, MongoClient } from 'mongodb';
import { Refusal } from '../domain/refusal.js';
import type { Change, IdempotentRequest } from '../ports/unit-of-work.js';

/** The right to run a request. */
export interface Claim {
  readonly id: string;
  readonly claim: string;
}

/** Gives every request with an idempotency key exactly one result. */
export interface IdempotencyStore {
  /** Returns the stored result, or claims the key and runs the request. */
  runOnce<Result>(request: IdempotentRequest, run: (claim: Claim) => Promise<Result>): Promise<Result>;
  /** Stores the result in the transaction of the change. */
  saveResult(claim: Claim, change: SavedChange, session: ClientSession): Promise<void>;
  /**
   * Stores the results of requests, in the transaction of their changes, without a claim before.
   *
   * @returns for each request whether it has no key, or one that was free; otherwise its result was not stored
   */
  saveNew(requests: readonly NewResult[], session: ClientSession): Promise<readonly boolean[]>;
}

/** The result of a request that ran without a claim. */
interface NewResult {
  readonly idempotency: IdempotentRequest | null;
  readonly result: unknown;
}

/** The part of a change that is stored for a repeated request. */
type SavedChange = Pick<Change<unknown>, 'result' | 'secretOf'>;

interface IdempotencyStoreParts {
  readonly client: MongoClient;
  readonly keys: Collection<IdempotencyDocument>;
  readonly clock: Clock;
  readonly sealing: Sealing;
  readonly sleep: (ms: number) => Promise<unknown>;
}

/** In milliseconds, longer than a change is retried. A request that takes longer cannot store its result and changes nothing. */
const LEASE_MS = 30_000;
const RETENTION_MS = 24 * 60 * 60 * 1_000;
/** The first pause of a concurrent duplicate, in milliseconds; each further one is twice as long, 1.6 s in total. */
const FIRST_PAUSE_MS = 25;
const PAUSES = 6;

export function createIdempotencyStore({
  client,
  keys,
  clock,
  sealing,
  sleep,
}: IdempotencyStoreParts): IdempotencyStore {
  /** @returns the current document of the key: our own claim when the key was free */
  const claimOrFind = async (mine: IdempotencyDocument): Promise<IdempotencyDocument> => {
    const { _id, ...fresh } = mine;
    const options = { upsert: true, returnDocument: 'after' } as const;
    const found = await abortingIdleTransactions(
      client,
      keys.findOneAndUpdate({ _id }, { $setOnInsert: fresh }, options),
    );
    if (found === null || found.claim === mine.claim || !isFree(found, clock.now())) return found ?? mine;
    // In a transaction, because a plain write would wait for the lock of a killed process.
    const taken = await inTransaction(client, (session) =>
      keys.updateOne(
        { _id, claim: found.claim, answer: found.answer },
        { $set: fresh, $unset: { secretOf: true } },
        { session },
      ),
    );
    // Another request took it first, so the document found before, such as an expired result, is out of date.
    return taken.matchedCount === 1 ? mine : claimOrFind(mine);
  };
  const release = ({ id, claim }: Claim) => keys.deleteOne({ _id: id, claim, answer: null });
  const seal = (result: unknown, id: string) => sealing.seal(JSON.stringify(result ?? null), id);

  return {
    async runOnce(request, run) {
      const mine = claimFor(request, clock.now());
      const claim = { id: mine._id, claim: mine.claim };
      for (let attempts = 1; ; attempts += 1) {
        const found = await claimOrFind(mine);
        if (found.claim === mine.claim) break;
        if (found.fingerprint !== mine.fingerprint) throw reused();
        if (found.answer !== null) return JSON.parse(sealing.open(found.answer, found._id));
        if (attempts > PAUSES) throw inUse();
        await sleep(doublingPauseMs(attempts, { firstMs: FIRST_PAUSE_MS }));
      }
      try {
        return await run(claim);
      } catch (error) {
        // If this fails as well, the lease expires; the caller gets the first error.
        await release(claim).catch(() => undefined);
        throw error;
      }
    },
    async saveResult({ id, claim }, { result, secretOf }, session) {
      const expiresAt = new Date(clock.now().getTime() + RETENTION_MS);
      const saved = await keys.updateOne(
        { _id: id, claim },
        { $set: { answer: seal(result, id), expiresAt, ...(secretOf !== undefined && { secretOf }) } },
        { session },
      );
      // The lease expired and another process runs the request now: this transaction must not commit.
      if (saved.matchedCount === 0) throw inUse();
    },
    async saveNew(requests, session) {
      const now = clock.now();
      const isNew = requests.map(({ idempotency }) => idempotency === null);
      const keyed = requests.flatMap(({ idempotency, result }, index) => {
        if (idempotency === null) return [];
        const { _id, ...claimed } = claimFor(idempotency, now);
        return [
          { index, filter: { _id }, update: { $setOnInsert: { ...claimed, answer: seal(result, _id) } } },
        ];
      });
      if (keyed.length === 0) return isNew;
      const upserts = keyed.map(({ filter, update }) => ({ updateOne: { filter, update, upsert: true } }));
      const { upsertedIds } = await keys.bulkWrite(upserts, { session, ordered: false });
      for (const [place, { index }] of keyed.entries()) isNew[index] = place in upsertedIds;
      return isNew;
    },
  };
}

function claimFor({ scope, key, fingerprint }: IdempotentRequest, now: Date): IdempotencyDocument {
  return {
    _id: createHash('sha256').update(`${scope}\n${key}`).digest('hex'),
    fingerprint,
    claim: randomUUID(),
    claimedUntil: new Date(now.getTime() + LEASE_MS),
    answer: null,
    expiresAt: new Date(now.getTime() + RETENTION_MS),
  };
}

function isFree({ answer, claimedUntil, expiresAt }: IdempotencyDocument, now: Date): boolean {
  return expiresAt <= now || (answer === null && claimedUntil <= now);
}

function reused(): Refusal {
  return new Refusal(
    'IdempotencyKeyReused',
    'This Idempotency-Key was used for another request. Choose a new one.',
  );
}

function inUse(): Refusal {
  return new Refusal(
    'IdempotencyKeyInUse',
    'A request with this Idempotency-Key is still in progress. Repeat it in a moment.',
  );
}
