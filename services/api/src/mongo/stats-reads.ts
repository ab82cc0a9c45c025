import type { Collections } from '@postrider/shared/mongo/collections';
import { countsOf, statsId } from '@postrider/shared/mongo/stats-store';
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
  };
}
