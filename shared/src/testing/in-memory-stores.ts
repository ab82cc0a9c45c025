import type { AuditEvent } from '../domain/audit-event.js';
import { type Attempt, type Delivery, type DeliverySummary, summaryOf } from '../domain/delivery.js';
import { MAX_ENDED_PERIODS } from '../domain/disabled-period.js';
import {
  countSubscriptions,
  type Endpoint,
  type EndpointTarget,
  type SettledEndpoint,
  type SubscribedEndpoint,
} from '../domain/endpoint.js';
import { eventKey } from '../domain/event-key.js';
import type { Notification } from '../domain/notification.js';
import type { Observation } from '../domain/settle.js';
import type { Announcement, Stored } from '../domain/settle-all.js';
import { notificationRecord } from '../outbox/record.js';
import type { Backlog } from '../ports/backlog.js';
import type { DeadLetterStore } from '../ports/dead-letter.js';
import type { FanOutProgress, FanOutStore, SubscribersLimit, UnmatchedEvent } from '../ports/fan-out.js';
import type { OutboxRecord } from '../ports/outbox.js';
import { READ_BYTES, type SettlementStore } from '../ports/settlement.js';

/**
 * The stores of the delivery path in memory, for simulations and unit tests. Each call is atomic,
like a transaction. They pass the same contract suites as the stores on MongoDB.
 */
export function createInMemoryStores(offer: (records: readonly OutboxRecord[]) => void = () => {}) {
  const deliveries = new Map<string, Delivery>();
  const endpoints = new Map<string, Endpoint>();
  const attempts = new Map<string, Attempt>();
  const audits = new Map<string, AuditEvent>();
  const notifications = new Map<string, Notification>();

  const readStored = (touched: readonly Pick<Observation, 'deliveryId' | 'endpointId'>[]): Stored => ({
    deliveries: pick(
      deliveries,
      touched.map(({ deliveryId }) => deliveryId),
      summaryOf,
    ),
    endpoints: pick(
      endpoints,
      touched.map(({ endpointId }) => endpointId),
      settledEndpointOf,
    ),
  });
  const update = (row: DeliverySummary) => deliveries.set(row.id, { ...deliveries.get(row.id)!, ...row });
  const announce = (announcements: readonly Announcement[]): readonly OutboxRecord[] => {
    for (const { notification } of announcements) notifications.set(notification.id, notification);
    const records = announcements.map(({ notification, traceId }) =>
      notificationRecord(notification, traceId),
    );
    offer(records);
    return records;
  };

  const makeDueFrom = (row: Delivery | undefined, dueAt: Date) => {
    if (!row?.dueAt || row.dueAt >= dueAt) return;
    const nextAttemptAt = row.nextAttemptAt === null ? null : dueAt;
    deliveries.set(row.id, { ...row, dueAt, nextAttemptAt } as Delivery);
  };
  const settlements: SettlementStore = {
    async read({ deliveryIds, endpointIds }) {
      const read = pick(deliveries, withinReadBytes(deliveries, deliveryIds), (row) => row);
      return {
        deliveries: read,
        unread: new Set(deliveryIds.filter((id) => deliveries.has(id) && !read.has(id))),
        endpoints: pick(endpoints, endpointIds, targetOf),
      };
    },
    deliveredOf: async (ids) => new Set(ids.filter((id) => deliveries.get(id)?.status === 'delivered')),
    async settle(observations, decide) {
      const batch = decide(readStored(observations));
      refuseDuplicates(attempts, batch.attempts.map(attemptKey));
      refuseDuplicates(
        audits,
        batch.audits.map(({ id }) => id),
      );
      refuseDuplicates(
        notifications,
        batch.announcements.map(({ notification }) => notification.id),
      );
      for (const attempt of batch.attempts) attempts.set(attemptKey(attempt), attempt);
      for (const audit of batch.audits) audits.set(audit.id, audit);
      batch.deliveries.forEach(update);
      for (const endpoint of batch.endpoints)
        endpoints.set(endpoint.id, { ...endpoints.get(endpoint.id)!, ...endpoint } as Endpoint);
      announce(batch.announcements);
      return batch;
    },
    async record(batch) {
      const isNext = ({ deliveryId, ordinal }: Attempt) => {
        const row = deliveries.get(deliveryId);
        return row !== undefined && row.dueAt !== null && row.attempts === ordinal - 1;
      };
      const stored = batch.attempts.filter(isNext);
      for (const attempt of stored) {
        attempts.set(attemptKey(attempt), attempt);
        update(batch.deliveries.find(({ id }) => id === attempt.deliveryId)!);
      }
      return stored.length === batch.results.length;
    },
    async moveDueTimes(until) {
      for (const [id, dueAt] of until) makeDueFrom(deliveries.get(id), dueAt);
    },
    async extendDueTimes(attempts, until) {
      for (const { deliveryId, ordinal } of attempts) {
        const row = deliveries.get(deliveryId);
        if (row?.attempts === ordinal - 1) makeDueFrom(row, until);
      }
    },
  };

  const deadLetters: DeadLetterStore = {
    async settle(letters, decide) {
      const decided = decide(readStored(letters));
      const settled = decided.filter((settlement) => settlement !== null);
      refuseDuplicates(
        attempts,
        settled.map(({ attempt }) => attemptKey(attempt)),
      );
      const announcements = new Map<string, Announcement>();
      for (const { attempt, delivery, notification } of settled) {
        attempts.set(attemptKey(attempt), attempt);
        update(delivery);
        const { id } = notification;
        if (!notifications.has(id) && !announcements.has(id))
          announcements.set(id, { notification, traceId: delivery.traceId });
      }
      return { settlements: decided, records: announce([...announcements.values()]) };
    },
  };

  const dueBy = (time: Date) =>
    [...deliveries.values()]
      .flatMap((row) => (row.dueAt !== null && row.dueAt <= time ? { row, dueAt: row.dueAt } : []))
      .sort((one, other) => one.dueAt.getTime() - other.dueAt.getTime())
      .map(({ row }) => row);
  const backlog: Backlog = {
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

  const progress = new Map<string, FanOutProgress>();
  const unmatchedEvents = new Map<string, UnmatchedEvent>();
  const subscribersOf = (workspaceIds: readonly string[], types: readonly string[]) =>
    [...endpoints.values()]
      .filter(
        ({ workspaceId, deletedAt, subscriptions }) =>
          deletedAt === null &&
          workspaceIds.includes(workspaceId) &&
          subscriptions.some(({ eventType }) => types.includes(eventType)),
      )
      .map(subscriberOf);
  const fanOut: FanOutStore = {
    subscribers: async ({ workspaceIds, types, limit }) =>
      takeUpTo(limit, subscribersOf(workspaceIds, types)),
    subscribersAfter: async ({ workspaceId, types, after, limit }) =>
      takeUpTo(
        limit,
        subscribersOf([workspaceId], types)
          .filter(({ id }) => after === null || id > after)
          .sort((one, other) => (one.id < other.id ? -1 : 1)),
      ),
    async insert(rows, held) {
      const recordOf = new Map(held.map(({ row, record }) => [row.id, record]));
      return [...rows, ...held.map(({ row }) => row)].filter((row) => {
        if (deliveries.has(row.id)) return false;
        deliveries.set(row.id, row);
        const record = recordOf.get(row.id);
        if (record !== undefined) attempts.set(attemptKey(record), record);
        return true;
      });
    },
    insertUnmatched: async (events) => {
      for (const event of events) unmatchedEvents.set(eventKey(event), event);
    },
    async countHeld(counts) {
      for (const { endpointId, since, rows, missed } of counts) {
        const endpoint = endpoints.get(endpointId);
        if (endpoint === undefined) continue;
        const { holding } = endpoint;
        if (holding !== undefined && holding.since > since) {
          if (missed > 0) endpoints.set(endpointId, withMissedPeriod(endpoint, since));
          continue;
        }
        const isSame = holding?.since.getTime() === since.getTime();
        const before = isSame ? holding : { rows: 0, missed: 0 };
        const after = { since, rows: before.rows + rows, missed: before.missed + missed };
        const isReplaced = holding !== undefined && !isSame && holding.missed > 0;
        const known = isReplaced ? withMissedPeriod(endpoint, holding.since) : endpoint;
        endpoints.set(endpointId, { ...known, holding: after });
      }
    },
    progressOf: async (eventKeys) => pick(progress, eventKeys, (one) => one),
    async saveProgress(latest) {
      for (const [key, { after, isComplete }] of latest) {
        const before = progress.get(key);
        progress.set(key, {
          after: before !== undefined && before.after > after ? before.after : after,
          isComplete: isComplete || before?.isComplete === true,
        });
      }
    },
  };

  return {
    deliveries,
    endpoints,
    attempts,
    audits,
    notifications,
    settlements,
    deadLetters,
    backlog,
    fanOut,
    unmatchedEvents,
  };
}

export type InMemoryStores = ReturnType<typeof createInMemoryStores>;

function pick<Id extends string, Row, Part>(
  all: ReadonlyMap<string, Row>,
  ids: readonly Id[],
  part: (row: Row) => Part,
): Map<Id, Part> {
  const found = new Map<Id, Part>();
  for (const id of ids) {
    const row = all.get(id);
    if (row !== undefined) found.set(id, part(row));
  }
  return found;
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

function refuseDuplicates(stored: ReadonlyMap<string, unknown>, ids: readonly string[]): void {
  const seen = new Set<string>();
  for (const id of ids) {
    if (stored.has(id) || seen.has(id)) throw new Error(`${id} is stored twice`);
    seen.add(id);
  }
}

function attemptKey({ deliveryId, ordinal }: Attempt): string {
  return `${deliveryId}:${ordinal}`;
}

function withMissedPeriod(endpoint: Endpoint, since: Date): Endpoint {
  const { missedPeriods = [] } = endpoint;
  const isKnown = missedPeriods.some((known) => known.getTime() === since.getTime());
  const all = isKnown ? missedPeriods : [...missedPeriods, since];
  return { ...endpoint, missedPeriods: all.slice(-MAX_ENDED_PERIODS) };
}

export function targetOf(endpoint: Endpoint): EndpointTarget {
  const {
    subscriptions: _,
    description: __,
    holding: ___,
    missedPeriods: ____,
    createdAt: _____,
    ...target
  } = endpoint;
  return target;
}

/** Settling does not need the secrets and does not read them. */
export function settledEndpointOf(endpoint: Endpoint): SettledEndpoint {
  const { secrets: _, ...settled } = targetOf(endpoint);
  return settled;
}

function takeUpTo(
  limit: SubscribersLimit,
  subscribers: readonly SubscribedEndpoint[],
): readonly SubscribedEndpoint[] {
  let subscriptions = 0;
  return subscribers.slice(0, limit.endpoints).filter((subscriber) => {
    const isReached = subscriptions >= limit.subscriptions;
    subscriptions += countSubscriptions(subscriber);
    return !isReached;
  });
}

export function subscriberOf(endpoint: Endpoint): SubscribedEndpoint {
  const { description: _, createdAt: __, missedPeriods: ___, ...subscriber } = endpoint;
  return subscriber;
}
