import type { Attempt, Delivery } from '../domain/delivery.js';
import type { Endpoint } from '../domain/endpoint.js';
import type { SettledBatch } from '../domain/settle-all.js';
import type { OutboxRecord } from '../ports/outbox.js';
import { READ_BYTES, type SettlementStore } from '../ports/settlement.js';
import { endpointTargetOf } from './endpoint-parts.js';
import {
  announce,
  attemptKey,
  type InMemoryRows,
  pick,
  readStored,
  refuseDuplicates,
  updateSummary,
} from './in-memory-rows.js';

export function createInMemorySettlements(
  rows: InMemoryRows,
  offer: (records: readonly OutboxRecord[]) => void,
): SettlementStore {
  const { deliveries, endpoints, attempts } = rows;
  const isNext = ({ deliveryId, ordinal }: Attempt) => {
    const row = deliveries.get(deliveryId);
    return row !== undefined && row.dueAt !== null && row.attempts === ordinal - 1;
  };
  const makeDueFrom = (row: Delivery | undefined, dueAt: Date) => {
    if (!row?.dueAt || row.dueAt >= dueAt) return;
    const nextAttemptAt = row.nextAttemptAt === null ? null : dueAt;
    deliveries.set(row.id, { ...row, dueAt, nextAttemptAt } as Delivery);
  };
  return {
    async read({ deliveryIds, endpointIds }) {
      const read = pick(deliveries, withinReadBytes(deliveries, deliveryIds), (row) => row);
      return {
        deliveries: read,
        unread: new Set(deliveryIds.filter((id) => deliveries.has(id) && !read.has(id))),
        endpoints: pick(endpoints, endpointIds, endpointTargetOf),
      };
    },
    deliveredOf: async (ids) => new Set(ids.filter((id) => deliveries.get(id)?.status === 'delivered')),
    async settle(observations, decide) {
      const batch = decide(readStored(rows, observations));
      store(rows, batch);
      offer(announce(rows, batch.announcements));
      return batch;
    },
    async record(batch) {
      const stored = batch.attempts.filter(isNext);
      for (const attempt of stored) {
        attempts.set(attemptKey(attempt), attempt);
        updateSummary(rows, batch.deliveries.find(({ id }) => id === attempt.deliveryId)!);
      }
      return stored.length === batch.results.length;
    },
    async moveDueTimes(until) {
      for (const [id, dueAt] of until) makeDueFrom(deliveries.get(id), dueAt);
    },
    async extendDueTimes(extended, until) {
      for (const { deliveryId, ordinal } of extended) {
        const row = deliveries.get(deliveryId);
        if (row?.attempts === ordinal - 1) makeDueFrom(row, until);
      }
    },
  };
}

/** Stores everything of a batch but its notifications, or nothing. @throws Error if something is stored twice */
function store(rows: InMemoryRows, batch: SettledBatch): void {
  const { endpoints, attempts, audits, notifications } = rows;
  const auditIds = batch.audits.map(({ id }) => id);
  const notificationIds = batch.announcements.map(({ notification }) => notification.id);
  refuseDuplicates(attempts, batch.attempts.map(attemptKey));
  refuseDuplicates(audits, auditIds);
  refuseDuplicates(notifications, notificationIds);
  for (const attempt of batch.attempts) attempts.set(attemptKey(attempt), attempt);
  for (const audit of batch.audits) audits.set(audit.id, audit);
  for (const delivery of batch.deliveries) updateSummary(rows, delivery);
  for (const endpoint of batch.endpoints)
    endpoints.set(endpoint.id, { ...endpoints.get(endpoint.id)!, ...endpoint } as Endpoint);
}

/** The first ids whose rows are read together. */
function withinReadBytes<Id extends string>(
  rows: ReadonlyMap<string, Delivery>,
  ids: readonly Id[],
): readonly Id[] {
  let size = 0;
  const end = ids.findIndex((id, index) => {
    const row = rows.get(id);
    if (row !== undefined) size += JSON.stringify(row.payload).length;
    return size > READ_BYTES && index > 0;
  });
  return end === -1 ? ids : ids.slice(0, end);
}
