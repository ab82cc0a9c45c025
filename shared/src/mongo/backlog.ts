import { asId } from '../domain/id.js';
import type { Backlog } from '../ports/backlog.js';
import type { Collections } from './collections.js';

export function createBacklog({ deliveries }: Collections): Backlog {
  return {
    async due(endpointId, now, limit) {
      const rows = await deliveries
        .find(
          { endpointId, dueAt: { $lte: now } },
          { projection: { workspaceId: 1, traceId: 1, attempts: 1 } },
        )
        .sort({ dueAt: 1 })
        .limit(limit)
        .toArray();
      return rows.map(({ _id, workspaceId, traceId, attempts }) => ({
        deliveryId: asId('delivery', _id),
        endpointId: asId('endpoint', endpointId),
        workspaceId: asId('workspace', workspaceId),
        traceId,
        attempts,
      }));
    },
    /**
     * One index seek per endpoint with due work, however much it has: bounds on both fields of the index, of which only
     * the first is returned, let the database skip from endpoint to endpoint.
     */
    async overdueEndpoints(before) {
      const groups = await deliveries
        .aggregate<{ _id: string }>(
          [
            { $match: { endpointId: { $gte: '' }, dueAt: { $lte: before } } },
            { $group: { _id: '$endpointId' } },
          ],
          { hint: { endpointId: 1, dueAt: 1 } },
        )
        .toArray();
      return groups.map(({ _id }) => _id);
    },
  };
}
