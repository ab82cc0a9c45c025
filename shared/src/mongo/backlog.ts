import type { Backlog } from '../ports/backlog.js';
import type { Collections } from './collections.js';

interface FirstDue {
  readonly _id: string;
  readonly dueAt: Date;
}

export function backlog({ deliveries }: Collections): Backlog {
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
        deliveryId: _id,
        endpointId,
        workspaceId,
        traceId,
        attempts,
      }));
    },
    /** One index seek per endpoint with work, however much work it has: the first key of each is its oldest. */
    async overdueEndpoints(before) {
      const firsts = await deliveries
        .aggregate<FirstDue>(
          [
            { $match: { dueAt: { $exists: true } } },
            { $sort: { endpointId: 1, dueAt: 1 } },
            { $group: { _id: '$endpointId', dueAt: { $first: '$dueAt' } } },
          ],
          { hint: { endpointId: 1, dueAt: 1 } },
        )
        .toArray();
      return firsts.filter(({ dueAt }) => dueAt <= before).map(({ _id }) => _id);
    },
  };
}
