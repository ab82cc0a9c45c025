import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { type HourCounts, LATE } from '../domain/stat-hours.js';
import type { AddStats, OwnedCounts } from '../ports/delivery-stats.js';
import type { Collections, StatsDocument } from './collections.js';

type StatsCollections = Pick<Collections, 'endpointStats' | 'workspaceStats'>;

/** Adds to the counts of hours. Each change raises the version, so that a recount replaces only what it has seen. */
export function createAddStats({ endpointStats, workspaceStats }: StatsCollections): AddStats {
  const add = async (collection: Collection<StatsDocument>, changes: readonly OwnedCounts<string>[]) => {
    if (changes.length > 0) await collection.bulkWrite(changes.map(additionOf), { ordered: false });
  };
  return async ({ endpoints, workspaces }) => {
    await Promise.all([add(endpointStats, endpoints), add(workspaceStats, workspaces)]);
  };
}

/** Sorted by owner, then by hour, so the hours of an owner are one range of ids. */
export function statsId(owner: string, hour: Date): string {
  return `${owner} ${hour.toISOString().slice(0, HOUR_LENGTH)}`;
}

/** The endpoint or the workspace of an id. */
export function ownerOf(statsId: string): string {
  return statsId.slice(0, statsId.indexOf(' '));
}

const HOUR_LENGTH = 'yyyy-mm-ddThh'.length;

function additionOf({ owner, hour, fields }: OwnedCounts<string>): AnyBulkWriteOperation<StatsDocument> {
  const $inc = { version: 1, ...Object.fromEntries(fields) };
  return {
    updateOne: {
      filter: { _id: statsId(owner, hour) },
      update: { $inc, $setOnInsert: { hour } },
      upsert: true,
    },
  };
}

/** The counts of an hour as they are stored. */
export type CountsDocument = Omit<StatsDocument, '_id' | 'version'> & Partial<StatsDocument>;

/** The counts of a document, by field. */
export function countsOf({ _id: _, hour, version: __, late = {}, ...counts }: CountsDocument): HourCounts {
  const ofLate = fieldsOf(late).map(([field, count]) => [`${LATE}${field}`, count] as const);
  return { hour, fields: new Map([...fieldsOf(counts), ...ofLate]) };
}

function fieldsOf({ latency = {}, ...counts }: NonNullable<StatsDocument['late']>): [string, number][] {
  const buckets = Object.entries(latency).map(([bucket, count]): [string, number] => [
    `${LATENCY}${bucket}`,
    count,
  ]);
  return [...Object.entries(counts), ...buckets];
}

/** Nests counts by field as a document has them. */
export function nestedCounts(
  fields: ReadonlyMap<string, number>,
): Omit<StatsDocument, '_id' | 'hour' | 'version'> {
  const { rest, within } = divide(fields, LATE);
  return within.size === 0 ? withBuckets(rest) : { ...withBuckets(rest), late: withBuckets(within) };
}

function withBuckets(fields: ReadonlyMap<string, number>) {
  const { rest, within } = divide(fields, LATENCY);
  return { ...Object.fromEntries(rest), latency: Object.fromEntries(within) };
}

/** Divides fields into those with a prefix, which is removed, and the rest. */
function divide(fields: ReadonlyMap<string, number>, prefix: string) {
  const isWithin = ([field]: readonly [string, number]) => field.startsWith(prefix);
  return {
    within: new Map(
      [...fields].filter(isWithin).map(([field, count]) => [field.slice(prefix.length), count]),
    ),
    rest: new Map([...fields].filter((one) => !isWithin(one))),
  };
}

const LATENCY = 'latency.';
