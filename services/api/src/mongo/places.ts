import type { Collections, QuotaPlacesDocument } from '@postrider/shared/mongo/collections';
import { Refusal } from '../domain/refusal.js';
import { type NewRow, type Places, UndecidedPlace } from '../ports/places.js';

/**
 * A place outlives the transaction that it was taken for: less than a minute of tries, and the minute after which the
 * server ends a transaction.
 */
const HELD_MS = 120_000;
/** An undecided creation waits this often, twice as long each time: 1.6 s in total. */
const FIRST_PAUSE_MS = 25;
const PAUSES = 6;

interface PlacesParts {
  readonly collections: Pick<Collections, 'quotaPlaces'>;
  readonly pause: (ms: number) => Promise<unknown>;
}

/**
 * Keeps the places of each workspace in one document, which is only written outside transactions: such writes wait for
 * each other instead of failing.
 */
export function createPlaces({ collections: { quotaPlaces }, pause }: PlacesParts): Places {
  const take = async (row: NewRow): Promise<readonly string[]> => {
    const update = [{ $set: { places: { $concatArrays: [HELD, [newPlace(row.id)]] } } }];
    const options = { upsert: true, returnDocument: 'before' } as const;
    const before = await quotaPlaces.findOneAndUpdate({ _id: idOf(row) }, update, options);
    return idsIn(before);
  };
  const held = async (row: NewRow): Promise<ReadonlySet<string>> =>
    new Set(idsIn(await quotaPlaces.findOne({ _id: idOf(row) }, { readPreference: 'primary' })));
  /** If this fails, the place is free after a while. */
  const release = async (row: NewRow): Promise<void> => {
    const options = { writeConcern: { w: 1 } };
    await quotaPlaces
      .updateOne({ _id: idOf(row) }, { $pull: { places: { id: row.id } } }, options)
      .catch(() => undefined);
  };

  return {
    async hold(row, create) {
      let ahead = await take(row);
      for (let pauses = 0; ; pauses += 1) {
        try {
          const created = await create(ahead);
          // A place of a stored row takes nothing from others.
          void release(row);
          return created;
        } catch (error) {
          const isUndecided = error instanceof UndecidedPlace;
          // After any other error the row may still be committed.
          if (error instanceof Refusal || (isUndecided && pauses === PAUSES)) await release(row);
          if (!isUndecided) throw error;
          if (pauses === PAUSES) throw undecided();
        }
        await pause(FIRST_PAUSE_MS * 2 ** pauses);
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
