import { MAX_ENDED_PERIODS } from '../domain/disabled-period.js';
import type { Endpoint, SubscribedEndpoint } from '../domain/endpoint.js';
import { costOfReading } from '../domain/endpoint-size.js';
import { eventKey } from '../domain/event-key.js';
import type { FanOutStore, HeldCount, SubscribersLimit } from '../ports/fan-out.js';
import { subscriberOf } from './endpoint-parts.js';
import { attemptKey, type InMemoryRows, pick } from './in-memory-rows.js';

export function createInMemoryFanOut(rows: InMemoryRows): FanOutStore {
  const { deliveries, endpoints, attempts, progress, unmatchedEvents } = rows;
  const subscribersOf = (workspaceIds: readonly string[], types: readonly string[]) =>
    [...endpoints.values()]
      .filter(
        ({ workspaceId, deletedAt, subscriptions }) =>
          deletedAt === null &&
          workspaceIds.includes(workspaceId) &&
          subscriptions.some(({ eventType }) => types.includes(eventType)),
      )
      .map(subscriberOf);
  return {
    subscribers: async ({ workspaceIds, types, limit }) =>
      takeUpTo(limit, subscribersOf(workspaceIds, types)),
    subscribersAfter: async ({ workspaceId, types, after, limit }) =>
      takeUpTo(
        limit,
        subscribersOf([workspaceId], types)
          .filter(({ id }) => after === null || id > after)
          .sort((one, other) => (one.id < other.id ? -1 : 1)),
      ),
    async insert(added, held) {
      const recordOf = new Map(held.map(({ row, record }) => [row.id, record]));
      return [...added, ...held.map(({ row }) => row)].filter((row) => {
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
      for (const count of counts) {
        const endpoint = endpoints.get(count.endpointId);
        if (endpoint !== undefined) endpoints.set(endpoint.id, withHeld(endpoint, count));
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
}

/** Counts held deliveries of a disabled period. An ended period is only remembered if deliveries of it were missed. */
function withHeld(endpoint: Endpoint, { since, rows, missed }: HeldCount): Endpoint {
  const { holding } = endpoint;
  if (holding !== undefined && holding.since > since)
    return missed > 0 ? withMissedPeriod(endpoint, since) : endpoint;
  const isSame = holding?.since.getTime() === since.getTime();
  const before = isSame ? holding : { rows: 0, missed: 0 };
  const after = { since, rows: before.rows + rows, missed: before.missed + missed };
  const isReplaced = holding !== undefined && !isSame && holding.missed > 0;
  const known = isReplaced ? withMissedPeriod(endpoint, holding.since) : endpoint;
  return { ...known, holding: after };
}

function withMissedPeriod(endpoint: Endpoint, since: Date): Endpoint {
  const { missedPeriods = [] } = endpoint;
  const isKnown = missedPeriods.some((known) => known.getTime() === since.getTime());
  const all = isKnown ? missedPeriods : [...missedPeriods, since];
  return { ...endpoint, missedPeriods: all.slice(-MAX_ENDED_PERIODS) };
}

function takeUpTo(
  limit: SubscribersLimit,
  subscribers: readonly SubscribedEndpoint[],
): readonly SubscribedEndpoint[] {
  let cost = 0;
  return subscribers.slice(0, limit.endpoints).filter((subscriber) => {
    const isReached = cost >= limit.cost;
    cost += costOfReading(subscriber);
    return !isReached;
  });
}
