import { type Filter, MongoBulkWriteError } from 'mongodb';
import type { HeldDelivery } from '../domain/delivery.js';
import { MAX_ENDED_PERIODS } from '../domain/disabled-period.js';
import type { Endpoint, SubscribedEndpoint } from '../domain/endpoint.js';
import { costOfReading } from '../domain/endpoint-size.js';
import { eventKey } from '../domain/event-key.js';
import type { SubscribedType } from '../domain/event-type.js';
import { asId } from '../domain/id.js';
import type { FanOutStore, HeldCount, SubscribersLimit, UnmatchedEvent } from '../ports/fan-out.js';
import { collectInTurns } from '../runtime/collect-in-turns.js';
import {
  type Collections,
  type DeliveryDocument,
  type Document,
  LIVE,
  type UnmatchedEventDocument,
} from './collections.js';
import { type FieldsOf, fromDocument, toDeliveryDocument, toRecordDocument } from './documents.js';
import { DUPLICATE_KEY } from './duplicate-key.js';
import { TARGET } from './endpoint-projections.js';

const SUBSCRIBED: FieldsOf<SubscribedEndpoint> = {
  ...TARGET,
  subscriptions: 1,
  lastPeriod: 1,
  earlierPeriods: 1,
  holding: 1,
  filter: 1,
};
/**
 * The index of subscribers in the order of pages. Behind the first page the database might choose that of `_id`, which has the
 * endpoints of all workspaces. It merges at most 200 ranges, and the rows of more would be sorted.
 */
const BY_TYPE = { workspaceId: 1, 'subscriptions.eventType': 1, _id: 1 } as const;
const MAX_MERGED_TYPES = 200;
/** An event is fanned out once, so a change that a failover rolls back must not decide who gets it. */
const MAJORITY = { level: 'majority' } as const;
/** Cost per turn of the event loop. Decoding a subscription takes 1 to 2 µs, and 500 endpoints may have 250,000 of them. */
const DECODED_AT_ONCE = 5_000;

export function createFanOutStore({
  endpoints,
  deliveries,
  fanOutProgress,
  unmatchedEvents,
}: Collections): FanOutStore {
  const find = (
    filter: Filter<Document<Endpoint>>,
    types: readonly SubscribedType[],
    { limit, inOrder = false }: { readonly limit: SubscribersLimit; readonly inOrder?: boolean },
  ) =>
    collectInTurns(
      endpoints
        .find<Document<SubscribedEndpoint>>(
          { ...filter, ...LIVE, 'subscriptions.eventType': { $in: [...types] } },
          {
            ...{ limit: limit.endpoints, projection: SUBSCRIBED, readConcern: MAJORITY },
            ...(inOrder && { sort: { _id: 1 } }),
            ...(inOrder && types.length <= MAX_MERGED_TYPES && { hint: BY_TYPE }),
          },
        )
        .map((document) => withReadableSubscriptions(fromDocument<SubscribedEndpoint>(document), types)),
      {
        sizeOf: costOfReading,
        atOnce: DECODED_AT_ONCE,
        upTo: limit.cost,
      },
    );
  return {
    subscribers: ({ workspaceIds, types, limit }) =>
      find({ workspaceId: { $in: [...workspaceIds] } }, types, { limit }),
    subscribersAfter: ({ workspaceId, types, after, limit }) =>
      find({ workspaceId, ...(after !== null && { _id: { $gt: after } }) }, types, {
        limit,
        inOrder: true,
      }),
    async insert(pending, held) {
      const rows = [...pending, ...held.map(({ row }) => row)];
      const documents = [...pending.map(toDeliveryDocument), ...held.map(toHeldDocument)];
      try {
        await deliveries.insertMany(documents, { ordered: false });
        return rows;
      } catch (error) {
        const duplicates = duplicatesOf(error, (index) => `row ${rows[index]?.id}`);
        return rows.filter((_, index) => !duplicates.has(index));
      }
    },
    async insertUnmatched(events) {
      try {
        await unmatchedEvents.insertMany(events.map(toUnmatchedDocument), { ordered: false });
      } catch (error) {
        // A repeated fan-out finds the records of the first one.
        duplicatesOf(error, (index) => `unmatched event ${events[index]?.eventId}`);
      }
    },
    async countHeld(counts) {
      await endpoints.bulkWrite(counts.map(updateOfHolding), { ordered: false });
    },
    async progressOf(eventKeys) {
      const found = await fanOutProgress.find({ _id: { $in: [...eventKeys] } }).toArray();
      return new Map(
        found.map(({ _id, after, isComplete }) => [_id, { after: asId('endpoint', after), isComplete }]),
      );
    },
    async saveProgress(progress) {
      const updates = [...progress].map(([_id, { after, isComplete }]) => {
        const update = { $max: { after, isComplete }, $currentDate: { storedAt: true } } as const;
        return { updateOne: { filter: { _id }, update, upsert: true } };
      });
      await fanOutProgress.bulkWrite(updates, { ordered: false });
    },
  };
}

/**
 * An endpoint whose subscriptions are damaged counts as a subscriber of all types that are looked for, since an unknown time: planning
 * a delivery to it fails. Otherwise the read would fail, also for the endpoints of other workspaces.
 */
function withReadableSubscriptions(
  endpoint: SubscribedEndpoint,
  types: readonly SubscribedType[],
): SubscribedEndpoint {
  if (areReadable(endpoint.subscriptions)) return endpoint;
  const unknown = types.map((eventType) => ({ eventType }));
  return { ...endpoint, subscriptions: unknown as unknown as SubscribedEndpoint['subscriptions'] };
}

function areReadable(subscriptions: unknown): boolean {
  if (!Array.isArray(subscriptions)) return false;
  return subscriptions.every(
    (one: unknown) =>
      typeof one === 'object' &&
      one !== null &&
      (!('earlier' in one) || one.earlier === undefined || areReadable(one.earlier)),
  );
}

function toHeldDocument({ row, record }: HeldDelivery): DeliveryDocument {
  return { ...toDeliveryDocument(row), records: [toRecordDocument(record)] };
}

function toUnmatchedDocument({ eventId, ...facts }: UnmatchedEvent): UnmatchedEventDocument {
  return { _id: eventKey({ eventId, workspaceId: facts.workspaceId }), ...facts };
}

/**
 * Adds to the counts of the same period, or starts those of a new one. Counts for an older period are dropped. Of an older period,
 * and of one whose counts are replaced, the endpoint keeps whether deliveries were missed in it.
 */
function updateOfHolding({ endpointId, since, rows, missed }: HeldCount) {
  const added = {
    since,
    rows: { $add: ['$holding.rows', rows] },
    missed: { $add: ['$holding.missed', missed] },
  };
  const isSame = { $eq: ['$holding.since', since] };
  const isOlder = { $gt: ['$holding.since', since] };
  const started = { $cond: [isOlder, '$holding', { since, rows, missed }] };
  // Without counts, nothing was missed.
  const isReplaced = { $and: [{ $lt: ['$holding.since', since] }, { $gt: ['$holding.missed', 0] }] };
  const older = { $cond: [isOlder, missed > 0 ? [since] : [], []] };
  const found = { $cond: [isReplaced, ['$holding.since'], older] };
  const update = [
    {
      $set: {
        holding: { $cond: [isSame, added, started] },
        missedPeriods: addedTo('$missedPeriods', found),
      },
    },
  ];
  return { updateOne: { filter: { _id: endpointId }, update } };
}

/** The newest of the known periods and the found ones that are not known yet. Stays absent if none was found. */
function addedTo(field: string, found: object) {
  const known = { $ifNull: [field, []] };
  const all = { $concatArrays: [known, { $setDifference: [found, known] }] };
  return { $cond: [{ $eq: [found, []] }, field, { $slice: [all, -MAX_ENDED_PERIODS] }] };
}

/**
 * The indexes of the documents that existed already, from the error of their insert.
 *
 * @throws Error that names the first document that failed for another reason: the driver's error may name a duplicate
 */
function duplicatesOf(error: unknown, nameOf: (index: number) => string): ReadonlySet<number> {
  if (!(error instanceof MongoBulkWriteError)) throw error;
  const failures = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  const failure = failures.find(({ code }) => code !== DUPLICATE_KEY);
  if (failure !== undefined) {
    throw new Error(`${nameOf(failure.index)} could not be stored: ${failure.errmsg}`, { cause: error });
  }
  // Without write errors the server itself failed: a lost connection and a step-down arrive as this class, too.
  if (failures.length === 0 || error.result.getWriteConcernError() !== undefined) throw error;
  return new Set(failures.map(({ index }) => index));
}
