import { STAT_COUNTS } from '@postrider/shared/domain/delivery-stats';
import { LATENCY_FIELDS } from '@postrider/shared/domain/latency-buckets';
import type { HourCounts } from '@postrider/shared/domain/stat-hours';
import type { Collections, StatsDocument } from '@postrider/shared/mongo/collections';
import { countsOf, ownerOf, statsId } from '@postrider/shared/mongo/stats-store';
import type { Collection, Filter } from 'mongodb';
import type { StatsReads, StepsSpan } from '../ports/reads.js';

/** Each field and its name in a group, which must not have a dot. */
const FIELDS = [...STAT_COUNTS, ...LATENCY_FIELDS].map((field) => [field, field.replace('.', '_')] as const);
const SUM_OF_FIELDS = Object.fromEntries(FIELDS.map(([field, name]) => [name, { $sum: `$${field}` }]));

/** The sums of a step. */
type SumsDocument = { readonly _id: Date } & Readonly<Record<string, number>>;

type StatsCollection = Collection<StatsDocument>;

/** Reads the hourly counts of an endpoint or of a workspace, by ranges of ids. */
export function createStatsReads({
  endpointStats,
  workspaceStats,
}: Pick<Collections, 'endpointStats' | 'workspaceStats'>): StatsReads {
  return {
    steps({ workspaceId, endpointId }, span) {
      const collection = endpointId === null ? workspaceStats : endpointStats;
      const within = { _id: rangeOf(endpointId ?? workspaceId, span) };
      return span.step === 'hour' ? readHours(collection, within) : readSums(collection, within, span);
    },
    async *sums(endpointIds, span) {
      if (endpointIds.length === 0) return;
      yield* readSums(endpointStats, { $or: endpointIds.map((id) => ({ _id: rangeOf(id, span) })) }, span);
    },
    async hoursOf(endpointIds, hours) {
      const ids = endpointIds.flatMap((id) => hours.map((hour) => statsId(id, hour)));
      const found = new Map<string, HourCounts[]>();
      for await (const document of endpointStats.find({ _id: { $in: ids } })) {
        const owner = ownerOf(document._id);
        found.set(owner, [...(found.get(owner) ?? []), countsOf(document)]);
      }
      return found;
    },
  };
}

async function* readHours(collection: StatsCollection, within: Filter<StatsDocument>) {
  for await (const document of collection.find(within)) yield countsOf(document);
}

/**
 * A hundred endpoints have 72,000 documents in 30 days, and a workspace has 8,760 in a year: the database returns their sums.
 */
async function* readSums(collection: StatsCollection, within: Filter<StatsDocument>, { step }: StepsSpan) {
  const found = collection.aggregate<SumsDocument>([
    { $match: within },
    { $group: { _id: { $dateTrunc: { date: '$hour', unit: step } }, ...SUM_OF_FIELDS } },
  ]);
  for await (const { _id: hour, ...sums } of found)
    yield { hour, fields: new Map(FIELDS.map(([field, name]) => [field, sums[name] ?? 0])) };
}

/** The ids of the hours of a workspace or an endpoint. */
function rangeOf(owner: string, { from, before }: StepsSpan) {
  return { $gte: statsId(owner, from), $lt: statsId(owner, before) };
}
