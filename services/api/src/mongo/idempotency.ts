import { createHash, randomUUID } from 'node:crypto';
import { Refusal } from '@postrider/shared/domain/refusal';
import type { IdempotencyDocument } from '@postrider/shared/mongo/collections';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Sealing } from '@postrider/shared/ports/sealing';
import type { ClientSession, Collection } from 'mongodb';
import type { IdempotentRequest } from '../ports/unit-of-work.js';

/** The right to run a request. */
export interface Claim {
  readonly id: string;
  readonly claim: string;
}

/** Runs a request once, however often it is sent. */
export interface AnswerKeeper {
  /** Gives the kept answer, or runs the request with a claim. */
  once<Answer>(request: IdempotentRequest, run: (claim: Claim) => Promise<Answer>): Promise<Answer>;
  /** Keeps an answer as part of the transaction that it tells of. */
  keep(claim: Claim, answer: unknown, session: ClientSession): Promise<void>;
}

interface KeeperParts {
  readonly keys: Collection<IdempotencyDocument>;
  readonly clock: Clock;
  readonly sealing: Sealing;
  readonly pause: (ms: number) => Promise<unknown>;
}

const LEASE_MS = 30_000;
const KEPT_MS = 24 * 60 * 60 * 1_000;
/** The second of two at once waits this often, each time twice as long: 1.6 s in all. */
const FIRST_PAUSE_MS = 25;
const PAUSES = 6;

export function answerKeeper({ keys, clock, sealing, pause }: KeeperParts): AnswerKeeper {
  /** @returns what stands under the key now: our own claim when it was free */
  const claimOrFind = async (mine: IdempotencyDocument): Promise<IdempotencyDocument> => {
    const { _id, ...fresh } = mine;
    const options = { upsert: true, returnDocument: 'after' } as const;
    const found = await keys.findOneAndUpdate({ _id }, { $setOnInsert: fresh }, options);
    if (found === null || found.claim === mine.claim || !isFree(found, clock.now())) return found ?? mine;
    const taken = await keys.updateOne({ _id, claim: found.claim, answer: found.answer }, { $set: fresh });
    return taken.matchedCount === 1 ? mine : found;
  };
  const release = ({ id, claim }: Claim) => keys.deleteOne({ _id: id, claim, answer: null });

  return {
    async once(request, run) {
      const mine = claimFor(request, clock.now());
      const claim = { id: mine._id, claim: mine.claim };
      for (let round = 0; ; round += 1) {
        const found = await claimOrFind(mine);
        if (found.claim === mine.claim) break;
        if (found.fingerprint !== mine.fingerprint) throw reused();
        if (found.answer !== null) return JSON.parse(sealing.open(found.answer, found._id));
        if (round === PAUSES) throw inUse();
        await pause(FIRST_PAUSE_MS * 2 ** round);
      }
      try {
        return await run(claim);
      } catch (error) {
        // Should this fail, too, the lease runs out by itself; the caller needs to hear of the first error.
        await release(claim).catch(() => undefined);
        throw error;
      }
    },
    async keep({ id, claim }, answer, session) {
      const sealed = sealing.seal(JSON.stringify(answer ?? null), id);
      const expiresAt = new Date(clock.now().getTime() + KEPT_MS);
      const kept = await keys.updateOne(
        { _id: id, claim },
        { $set: { answer: sealed, expiresAt } },
        { session },
      );
      // The lease ran out and somebody else runs the request now: this transaction must not commit.
      if (kept.matchedCount === 0) throw inUse();
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
    expiresAt: new Date(now.getTime() + KEPT_MS),
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
    'A request with this Idempotency-Key is still under way. Repeat it in a moment.',
  );
}
