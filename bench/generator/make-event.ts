import { idOf } from '@postrider/shared/domain/id';
import { type DomainEvent, domainEvent } from '@postrider/shared/events/domain-event';

/** The type of all events here: it has a field of any length. */
export const BENCH_EVENT_TYPE = 'api_token.created';

export interface EventFacts {
  /** Tells one generator's events from another's. */
  readonly seed: number;
  /** The event's number. */
  readonly number: number;
  readonly workspace: { readonly id: string; readonly slug: string };
  readonly occurredAt: Date;
  /** Size of the body that its deliveries POST, in bytes. */
  readonly bodyBytes: number;
}

/** The identifier of an event follows from its number and time, so that it need not be written down. */
export function eventIdOf({
  seed,
  number,
  occurredAt,
}: Pick<EventFacts, 'seed' | 'number' | 'occurredAt'>): string {
  return idOf('event', occurredAt, tailOf(seed, number));
}

/** @throws RangeError when a body of that size has no room for the event */
export function makeEvent(facts: EventFacts): DomainEvent {
  const { seed, number, workspace, occurredAt, bodyBytes } = facts;
  const withName = (name: string) =>
    domainEvent({
      type: BENCH_EVENT_TYPE,
      id: eventIdOf(facts),
      workspace,
      occurredAt,
      own: { tokenId: idOf('token', occurredAt, tailOf(seed, number)), name, scopes: ['read'] },
    });
  return withName('x'.repeat(bodyBytes - bodySize(withName(''))));
}

/** Identifiers of deliveries have all the same length. */
const A_DELIVERY_ID = idOf('delivery', new Date(0), Buffer.alloc(10));

function bodySize({ type, payload }: DomainEvent): number {
  return JSON.stringify({ deliveryId: A_DELIVERY_ID, eventType: type, payload }).length;
}

function tailOf(seed: number, number: number): Uint8Array {
  const tail = Buffer.alloc(10);
  tail.writeUInt32BE(seed);
  tail.writeUIntBE(number, 4, 6);
  return tail;
}
