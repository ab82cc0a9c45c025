import { deadLetter } from '@postrider/shared/domain/dead-letter';
import type { Attempt, Delivery, DeliverySummary } from '@postrider/shared/domain/delivery';
import type { Endpoint } from '@postrider/shared/domain/endpoint';
import type { SettledBatch } from '@postrider/shared/domain/settle-all';
import type { Backlog } from '@postrider/shared/ports/backlog';
import type { SettlementStore } from '@postrider/shared/ports/settlement';

/** A database of three collections. Each call takes effect at once and as a whole, as a transaction does. */
export function simulatedStore(now: () => Date) {
  const deliveries = new Map<string, Delivery>();
  const endpoints = new Map<string, Endpoint>();
  const attempts = new Map<string, Attempt>();
  const pick = <Key extends string, T>(all: ReadonlyMap<string, T>, ids: readonly Key[]): Map<Key, T> =>
    new Map(ids.flatMap((id) => (all.has(id) ? [[id, all.get(id)!] as const] : [])));
  const update = (row: DeliverySummary) => deliveries.set(row.id, { ...deliveries.get(row.id)!, ...row });
  const record = (attempt: Attempt) => {
    const key = `${attempt.deliveryId}:${attempt.ordinal}`;
    if (attempts.has(key)) throw new Error(`attempt ${key} is recorded twice`);
    attempts.set(key, attempt);
  };
  const write = (batch: SettledBatch) => {
    batch.attempts.forEach(record);
    batch.deliveries.forEach(update);
    for (const endpoint of batch.endpoints)
      endpoints.set(endpoint.id, { ...endpoints.get(endpoint.id)!, ...endpoint } as Endpoint);
    return batch;
  };
  const settlement: SettlementStore = {
    read: async ({ deliveryIds, endpointIds }) => ({
      deliveries: pick(deliveries, deliveryIds),
      endpoints: pick(endpoints, endpointIds),
    }),
    settle: async (observations, decide) =>
      write(
        decide({
          deliveries: pick(
            deliveries,
            observations.map(({ deliveryId }) => deliveryId),
          ),
          endpoints: pick(
            endpoints,
            observations.map(({ endpointId }) => endpointId),
          ),
        }),
      ),
    async postponeDeadLetter(ids, until) {
      for (const row of pick(deliveries, ids).values())
        if (row.dueAt !== null && row.dueAt < until) deliveries.set(row.id, { ...row, dueAt: until });
    },
  };
  const dueBefore = (time: Date) =>
    [...deliveries.values()]
      .filter(({ dueAt }) => dueAt !== null && dueAt <= time)
      .sort((a, b) => a.dueAt!.getTime() - b.dueAt!.getTime());
  const backlog: Backlog = {
    due: async (endpointId, time, limit) =>
      dueBefore(time)
        .filter((row) => row.endpointId === endpointId)
        .slice(0, limit)
        .map(({ id, endpointId, workspaceId, traceId, attempts: made }) => {
          return { deliveryId: id, endpointId, workspaceId, traceId, attempts: made };
        }),
    overdueEndpoints: async (before) => [...new Set(dueBefore(before).map(({ endpointId }) => endpointId))],
  };
  return {
    deliveries,
    endpoints,
    attempts,
    settlement,
    backlog,
    /** What the dead-letter queue's consumer does with a message. */
    deadLetter(deliveryId: string) {
      const row = deliveries.get(deliveryId) ?? null;
      const settlement = deadLetter(row, endpoints.get(row?.endpointId ?? '') ?? null, now());
      if (settlement === null) return;
      record(settlement.attempt);
      update(settlement.delivery);
    },
  };
}

export type SimulatedStore = ReturnType<typeof simulatedStore>;
