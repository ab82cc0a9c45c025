import type { DeliveryStatus } from '@postrider/shared/domain/delivery';
import { deliveryIdOf, type EndpointId, timeOfId } from '@postrider/shared/domain/id';
import type { Collections, DeliveryDocument } from '@postrider/shared/mongo/collections';
import type { Filter } from 'mongodb';
import type { PlacedEndpoint } from '../environment/population.js';
import { eventIdOf } from '../generator/make-event.js';
import type { LoggedEvent } from '../generator/plan.js';
import { machineTimeOf } from '../measure/clock.js';
import type { Arrival } from '../receiver/arrivals.js';

/** Everything observed about one expected delivery: its event, its POSTs and its stored state. */
export interface DeliveryRecord {
  readonly group: string;
  readonly endpointId: string;
  /** The number of its event, -1 if no published event caused it. */
  readonly event: number;
  /** When its event was created, in machine time. */
  readonly createdAt: number;
  /** When its POSTs arrived, in machine time, in order. */
  readonly arrivals: number[];
  /** Null if no row was found. */
  status: DeliveryStatus | null;
  /** HTTP attempts according to the row. */
  attempts: number;
  /** Stored attempts, including bookkeeping. */
  attemptRows: number;
  /** The endpoint was disabled after repeated failures, so that later events created no delivery for it. */
  endpointDisabled: boolean;
}

/** All expected deliveries by id. */
export type Records = ReadonlyMap<string, DeliveryRecord>;

type Origin = Pick<DeliveryRecord, 'group' | 'endpointId' | 'event' | 'createdAt'>;

function createRecord(origin: Origin): DeliveryRecord {
  return { ...origin, arrivals: [], status: null, attempts: 0, attemptRows: 0, endpointDisabled: false };
}

/** One delivery for each published event and each endpoint of its workspace. */
export function deliveriesOfEvents(
  events: readonly LoggedEvent[],
  endpoints: readonly PlacedEndpoint[],
  seed: number,
): Records {
  const byWorkspace = Map.groupBy(endpoints, ({ workspace }) => workspace);
  const records = new Map<string, DeliveryRecord>();
  for (const [event, { occurredAt: ms, createdAt, workspace }] of events.entries()) {
    const occurredAt = new Date(ms);
    const eventId = eventIdOf({ seed, number: event, occurredAt });
    for (const { endpoint, group } of byWorkspace.get(workspace) ?? []) {
      const id = deliveryIdOf({ eventId, occurredAt }, endpoint.id);
      records.set(id, createRecord({ group: group.name, endpointId: endpoint.id, event, createdAt }));
    }
  }
  return records;
}

/** An accepted API call that must cause one delivery to an endpoint. */
export interface ApiCall extends Omit<Origin, 'event'> {
  readonly traceId: string;
}

/**
 * One delivery for each call: the first row with the trace id of the call. A second row with that trace id is therefore
 * unexpected, and a call without a row gets a record under an id that no row has.
 */
export async function deliveriesOfCalls(
  calls: readonly ApiCall[],
  { deliveries }: Pick<Collections, 'deliveries'>,
): Promise<Records> {
  const ids = new Map<string, string>();
  const rows = deliveries.find(
    { endpointId: { $in: [...new Set(calls.map(({ endpointId }) => endpointId))] } },
    { projection: { endpointId: 1, traceId: 1 }, sort: { endpointId: 1, _id: 1 } },
  );
  for await (const { _id, endpointId, traceId } of rows) {
    const key = `${endpointId} ${traceId}`;
    if (!ids.has(key)) ids.set(key, _id);
  }
  return new Map(
    calls.map(({ traceId, ...origin }) => [
      ids.get(`${origin.endpointId} ${traceId}`) ?? `trace ${traceId}`,
      createRecord({ ...origin, event: -1 }),
    ]),
  );
}

/** An event that the api accepted, which must cause one delivery to an endpoint. */
export interface ApiEvent extends Omit<Origin, 'event'> {
  readonly eventId: string;
}

/** One delivery for each event of a custom type: its moment is the time inside its id. */
export function deliveriesOfApiEvents(events: readonly ApiEvent[]): Records {
  return new Map(
    events.map(({ eventId, ...origin }) => {
      const occurredAt = timeOfId('event', eventId);
      if (occurredAt === null) throw new Error(`${eventId} is no id of an event`);
      const id = deliveryIdOf({ eventId, occurredAt }, origin.endpointId as EndpointId);
      return [id, createRecord({ ...origin, event: -1 })];
    }),
  );
}

/** One delivery for each row that matches. */
export async function deliveriesOfRows(
  { deliveries }: Pick<Collections, 'deliveries'>,
  matching: Filter<DeliveryDocument>,
  group: string,
): Promise<Records> {
  const rows = deliveries.find(matching, { projection: { endpointId: 1, createdAt: 1 } });
  const records = new Map<string, DeliveryRecord>();
  for await (const { _id, endpointId, createdAt } of rows)
    records.set(
      _id,
      createRecord({ group, endpointId, event: -1, createdAt: machineTimeOf(createdAt.getTime()) }),
    );
  return records;
}

/** Adds the POSTs to their records. @returns the number of POSTs that belong to no expected delivery */
export function recordArrivals(records: Records, arrivals: readonly Arrival[]): number {
  let unexpected = 0;
  for (const { id, at } of arrivals) {
    const record = records.get(id);
    if (record === undefined) unexpected += 1;
    else record.arrivals.push(at);
  }
  return unexpected;
}

/** Adds the stored state to the records. @returns the number of rows and attempts that belong to no expected delivery */
export async function recordStored(
  records: Records,
  { deliveries, attempts, endpoints }: Pick<Collections, 'deliveries' | 'attempts' | 'endpoints'>,
): Promise<number> {
  let unexpected = 0;
  const rows = deliveries.find({}, { projection: { status: 1, attempts: 1, 'records.ordinal': 1 } });
  for await (const { _id, status, attempts, records: embedded = [] } of rows) {
    const record = records.get(_id);
    if (record === undefined) unexpected += 1;
    else Object.assign(record, { status, attempts, attemptRows: embedded.length });
  }
  for await (const { _id } of attempts.find({}, { projection: { _id: 1 }, hint: { _id: 1 } })) {
    const record = records.get(_id.slice(0, _id.indexOf(':')));
    if (record === undefined) unexpected += 1;
    else record.attemptRows += 1;
  }
  const disabled = new Set(await endpoints.distinct('_id', { enabled: false }));
  for (const record of records.values()) record.endpointDisabled = disabled.has(record.endpointId);
  return unexpected;
}
