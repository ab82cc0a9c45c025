import type { Backlog } from '../ports/backlog.js';
import type { InMemoryRows } from './in-memory-rows.js';

export function createInMemoryBacklog({
  deliveries,
  endpoints,
}: Pick<InMemoryRows, 'deliveries' | 'endpoints'>): Backlog {
  const dueBy = (time: Date) =>
    [...deliveries.values()]
      .flatMap((row) => (row.dueAt !== null && row.dueAt <= time ? { row, dueAt: row.dueAt } : []))
      .sort((one, other) => one.dueAt.getTime() - other.dueAt.getTime())
      .map(({ row }) => row);
  return {
    due: async (endpointId, now, limit) =>
      dueBy(now)
        .filter((row) => row.endpointId === endpointId)
        .toSorted((one, other) => Number(one.class === 'replay') - Number(other.class === 'replay'))
        .slice(0, limit)
        .map((row) => ({
          deliveryId: row.id,
          endpointId: row.endpointId,
          workspaceId: row.workspaceId,
          traceId: row.traceId,
          attempts: row.attempts,
          ...(row.class !== undefined && { class: row.class }),
        })),
    async *overdueEndpoints(before, after = '') {
      const overdue = new Set(dueBy(before).map((row) => row.endpointId));
      yield [...overdue].filter((endpointId) => endpointId > after).sort();
    },
    workspacesOf: async (endpointIds) =>
      new Map(
        [...endpoints.values()]
          .filter(({ id }) => endpointIds.includes(id))
          .map(({ id, workspaceId }) => [id, workspaceId]),
      ),
  };
}
