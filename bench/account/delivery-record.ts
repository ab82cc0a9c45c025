import type { DeliveryStatus } from '@postrider/shared/domain/delivery';
import { deliveryIdOf } from '@postrider/shared/domain/id';
import type { LoggedEvent } from '../generator/event-log.js';
import { eventIdOf } from '../generator/make-event.js';
import type { Arrival } from '../receiver/arrivals.js';
import type { Population } from '../world/population.js';

/** All that is known of one delivery: what was asked for, what arrived, what is stored. */
export interface DeliveryRecord {
  readonly group: string;
  readonly endpointId: string;
  /** The number of its event. */
  readonly event: number;
  /** When its event was made, in the machine's time. */
  readonly madeAt: number;
  /** When its POSTs arrived, in the machine's time, in order. */
  readonly arrivals: number[];
  /** Null while no row was found. */
  status: DeliveryStatus | null;
  /** HTTP attempts, as the row counts them. */
  attempts: number;
  /** Attempts that are stored, bookkeeping too. */
  attemptRows: number;
  /** Its endpoint failed so often that it was disabled: events after that are not owed to it. */
  endpointDisabled: boolean;
}

/** Every delivery that is owed, by its id. */
export type Records = ReadonlyMap<string, DeliveryRecord>;

/** What a record says of a delivery of which nothing was seen yet. */
export function unseen() {
  return { arrivals: [], status: null, attempts: 0, attemptRows: 0, endpointDisabled: false };
}

/** Event × endpoints of its workspace: what the events that were published come to. */
export function owedDeliveries(
  events: readonly LoggedEvent[],
  { endpoints }: Population,
  seed: number,
): Records {
  const byWorkspace = Map.groupBy(endpoints, ({ workspace }) => workspace);
  const records = new Map<string, DeliveryRecord>();
  for (const [number, { occurredAt, madeAt, workspace }] of events.entries()) {
    const event = { eventId: eventIdOf({ seed, number, occurredAt: new Date(occurredAt) }) };
    for (const { endpoint, group } of byWorkspace.get(workspace) ?? []) {
      const id = deliveryIdOf({ ...event, occurredAt: new Date(occurredAt) }, endpoint.id);
      records.set(id, { group, endpointId: endpoint.id, event: number, madeAt, ...unseen() });
    }
  }
  return records;
}

/** Notes what arrived. @returns how many POSTs belong to no delivery that is owed */
export function noteArrivals(records: Records, arrivals: readonly Arrival[]): number {
  let strangers = 0;
  for (const { id, at } of arrivals) {
    const record = records.get(id);
    if (record === undefined) strangers += 1;
    else record.arrivals.push(at);
  }
  return strangers;
}
