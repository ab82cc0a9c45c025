import type { HourCounts } from '@postrider/shared/domain/stat-hours';
import type { Collections } from '@postrider/shared/mongo/collections';
import { countsOf, ownerOf, statsId } from '@postrider/shared/mongo/stats-store';
import type { StatsReads } from '../ports/reads.js';

/** Reads the hourly counts of an endpoint or of a workspace, by ranges of ids. */
export function createStatsReads({
  endpointStats,
  workspaceStats,
}: Pick<Collections, 'endpointStats' | 'workspaceStats'>): StatsReads {
  return {
    async *hours({ workspaceId, endpointId }, { from, before }) {
      const collection = endpointId === null ? workspaceStats : endpointStats;
      const owner = endpointId ?? workspaceId;
      const hours = { $gte: statsId(owner, from), $lt: statsId(owner, before) };
      for await (const found of collection.find({ _id: hours })) yield countsOf(found);
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
