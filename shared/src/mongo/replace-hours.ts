import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { type HourCounts, type Replacement, replacements } from '../domain/stat-hours.js';
import type { HourSpan, ReplacedHours, StoredHours, Tally } from '../ports/delivery-stats.js';
import type { StatsDocument } from './collections.js';
import { DUPLICATE_KEY } from './duplicate-key.js';
import { partialWrite } from './partial-write.js';
import { countsOf, nestedCounts, ownerOf, statsId } from './stats-store.js';

/** The stored hours by their owner. */
export async function storedHours(
  collection: Collection<StatsDocument>,
  owners: readonly string[],
  { from, before }: HourSpan,
): Promise<ReadonlyMap<string, StoredHours>> {
  const hours = new Map<string, Map<number, HourCounts & { readonly version: number }>>();
  if (owners.length === 0) return hours;
  const ranges = owners.map((owner) => ({
    _id: { $gte: statsId(owner, from), $lt: statsId(owner, before) },
  }));
  for await (const found of collection.find({ $or: ranges })) {
    const owner = ownerOf(found._id);
    const ofOwner = hours.get(owner) ?? new Map<number, HourCounts & { readonly version: number }>();
    hours.set(owner, ofOwner);
    ofOwner.set(found.hour.getTime(), { ...countsOf(found), version: found.version });
  }
  return hours;
}

/** The write of one hour, and its identifier. */
interface Change {
  readonly id: string;
  readonly operation: AnyBulkWriteOperation<StatsDocument>;
}

/** Replaces the stored hours of owners that differ from their counted ones, unless they have changed meanwhile. */
export async function replaceHours(
  collection: Collection<StatsDocument>,
  tallies: ReadonlyMap<string, Tally>,
  span: HourSpan,
): Promise<ReplacedHours> {
  const changes = [...tallies].flatMap(([owner, tally]) => changesOf(owner, tally, span));
  if (changes.length === 0) return { replaced: 0, rejected: [] };
  const operations = changes.map(({ operation }) => operation);
  try {
    const { modifiedCount, upsertedCount } = await collection.bulkWrite(operations, { ordered: false });
    return { replaced: modifiedCount + upsertedCount, rejected: [] };
  } catch (error) {
    return writtenBefore(error, changes);
  }
}

/** What an unordered write has done. @throws the error, unless the database only rejected documents */
function writtenBefore(error: unknown, changes: readonly Change[]): ReplacedHours {
  const { result, rejected } = partialWrite(error);
  return {
    replaced: result.modifiedCount + result.upsertedCount,
    rejected: rejected
      // Another process stored the hour meanwhile.
      .filter(({ code }) => code !== DUPLICATE_KEY)
      .map(({ index, errmsg }) => ({ id: changes[index]?.id ?? '', reason: errmsg ?? '' })),
  };
}

function changesOf(owner: string, { stored, counted }: Tally, span: HourSpan) {
  return replacements(stored, counted, span).map((change) => replacementOf(owner, change));
}

/** Finds the hour only as it was read. */
function replacementOf(owner: string, { hour, fields, version }: Replacement): Change {
  const id = statsId(owner, hour);
  const document = { hour, version: (version ?? 0) + 1, ...nestedCounts(fields) };
  if (version === null) {
    const update = { $setOnInsert: document };
    return { id, operation: { updateOne: { filter: { _id: id }, update, upsert: true } } };
  }
  const replacement = document as Omit<StatsDocument, '_id'>;
  return { id, operation: { replaceOne: { filter: { _id: id, version }, replacement } } };
}
