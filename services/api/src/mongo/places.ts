import type { Collections, PlaceCount, QuotaPlacesDocument } from '@postrider/shared/mongo/collections';
import type { Clock } from '@postrider/shared/ports/clock';
import { doublingPauseMs } from '@postrider/shared/runtime/doubling-pause';
import { Refusal } from '../domain/refusal.js';
import { type HeldPlace, type NewRow, type Places, UndecidedPlace } from '../ports/places.js';

/**
 * In milliseconds. A place outlives the transaction that it was taken for: less than a minute of retries, and the minute
 * after which the server ends a transaction.
 */
const HELD_MS = 120_000;
/** How long a count is used, in milliseconds: for that long it may lack rows that are stored in another way. */
const COUNT_MS = 60_000;
/** The first pause of an undecided creation, in milliseconds; each further one is twice as long, 1.6 s in total. */
const FIRST_PAUSE_MS = 25;
const PAUSES = 6;

interface PlacesParts {
  readonly collections: Pick<Collections, 'quotaPlaces'>;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<unknown>;
}

/** The known facts when a place was taken. */
type Taken = Pick<HeldPlace, 'ahead' | 'atMost'> & Pick<PlaceCount, 'taken'>;

/**
 * Keeps the places of each workspace in one document, which is only written outside transactions: such writes wait for
 * each other instead of failing. It also has the number of rows counted last, and of places taken since. Their sum is never
 * below the number of rows, so rows are counted again only when the sum reaches the quota.
 */
export function createPlaces({ collections: { quotaPlaces }, clock, sleep }: PlacesParts): Places {
  const upperBound = ({ rows, taken, at }: PlaceCount, takenNow: number) =>
    clock.now().getTime() - at.getTime() < COUNT_MS ? rows + takenNow - taken : null;
  const take = async (row: NewRow): Promise<Taken> => {
    const places = { $concatArrays: [HELD, [newPlace(row.id)]] };
    const update = [{ $set: { places, taken: { $add: [{ $ifNull: ['$taken', 0] }, 1] } } }];
    const options = { upsert: true, returnDocument: 'before' } as const;
    const before = await quotaPlaces.findOneAndUpdate({ _id: idOf(row) }, update, options);
    const { taken = 0, counted } = before ?? {};
    return { ahead: idsIn(before), taken, atMost: counted === undefined ? null : upperBound(counted, taken) };
  };
  const held = async (row: NewRow): Promise<ReadonlySet<string>> =>
    new Set(idsIn(await quotaPlaces.findOne({ _id: idOf(row) })));
  /** If this fails, the place expires. */
  const release = async (row: NewRow, counted: PlaceCount | null): Promise<void> => {
    const options = { writeConcern: { w: 1 } };
    const update = { $pull: { places: { id: row.id } }, ...(counted !== null && { $set: { counted } }) };
    await quotaPlaces.updateOne({ _id: idOf(row) }, update, options).catch(() => undefined);
  };

  return {
    async hold(row, create) {
      const { taken, ...first } = await take(row);
      let { ahead } = first;
      let counted: PlaceCount | null = null;
      const noteCount = (stored: number) => {
        counted = { rows: stored + ahead.length, taken, at: clock.now() };
      };
      for (let attempts = 1; ; attempts += 1) {
        try {
          const created = await create({ ahead, atMost: first.atMost, counted: noteCount });
          // Once the row is stored, its place takes nothing from others.
          void release(row, counted);
          return created;
        } catch (error) {
          const isUndecided = error instanceof UndecidedPlace;
          // After any other error the row may still be committed.
          if (error instanceof Refusal || (isUndecided && attempts > PAUSES)) await release(row, counted);
          if (!isUndecided) throw error;
          if (attempts > PAUSES) throw undecided();
        }
        await sleep(doublingPauseMs(attempts, { firstMs: FIRST_PAUSE_MS }));
        const left = await held(row);
        ahead = ahead.filter((id) => left.has(id));
      }
    },
  };
}

/** The places whose processes have not died. */
const HELD = {
  $filter: { input: { $ifNull: ['$places', []] }, cond: { $gt: ['$$this.until', '$$NOW'] } },
} as const;

const newPlace = (id: string) => ({ id, until: { $add: ['$$NOW', HELD_MS] } });

const idOf = ({ kind, workspaceId }: NewRow) => `${kind} ${workspaceId}`;

const idsIn = (document: QuotaPlacesDocument | null) => document?.places.map(({ id }) => id) ?? [];

function undecided(): Refusal {
  return new Refusal('Unavailable', 'Other requests are taking the last places of the quota. Try again.');
}
