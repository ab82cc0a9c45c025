import { idOf } from '@postrider/shared/domain/id';
import { type DomainEvent, domainEvent } from '@postrider/shared/events/domain-event';

/** The type of all events. It has a field without a length limit. */
export const BENCH_EVENT_TYPE = 'api_token.created' as const;

export interface EventFacts {
  /** Distinguishes the events of different generators. */
  readonly seed: number;
  /** The event's number. */
  readonly number: number;
  readonly workspace: { readonly id: string; readonly slug: string };
  readonly occurredAt: Date;
  /** Size of the body of each POST. */
  readonly bodyBytes: number;
}

/** The id of an event follows from its number and time, so that it need not be logged. */
export function eventIdOf({
  seed,
  number,
  occurredAt,
}: Pick<EventFacts, 'seed' | 'number' | 'occurredAt'>): string {
  return idOf('event', occurredAt, tailOf(seed, number));
}

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

/** The ids of all deliveries have the same length. */
const SAMPLE_DELIVERY_ID = idOf('delivery', new Date(0), Buffer.alloc(10));

function bodySize({ type, payload }: DomainEvent): number {
  return JSON.stringify({ deliveryId: SAMPLE_DELIVERY_ID, eventType: type, payload }).length;
}

function tailOf(seed: number, number: number): Uint8Array {
  const tail = Buffer.alloc(10);
  tail.writeUInt32BE(seed);
  tail.writeUIntBE(number, 4, 6);
  return tail;
}
