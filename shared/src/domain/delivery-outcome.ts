import { type Delivery, type DeliveryFields, type DeliverySummary, isTerminal } from './delivery.js';
import type { Settled } from './settle-all.js';

/** The kinds of records on the topic of outcomes. */
export const OUTCOME_KINDS = ['delivery.created', 'delivery.attempted', 'delivery.ended'] as const;
export type OutcomeKind = (typeof OUTCOME_KINDS)[number];

/** A change of a delivery after it was stored: what streams and the topic of outcomes show. */
export interface DeliveryOutcome {
  readonly kind: OutcomeKind;
  /** Unique among all outcomes; the same when an outcome is reported again. */
  readonly id: string;
  readonly traceId: string;
  readonly at: Date;
  readonly value: OutcomeFacts;
}

/** The state of the delivery after the change. */
export interface OutcomeFacts
  extends Pick<
    DeliveryFields,
    'workspaceId' | 'endpointId' | 'eventType' | 'status' | 'attempts' | 'failureReason'
  > {
  readonly deliveryId: string;
  readonly eventId: string;
  /** The status of the last HTTP attempt. */
  readonly httpStatus: number | null;
  readonly durationMs: number | null;
}

/** The outcomes of rows that were just stored. A held row has ended as well. */
export function createdOutcomes(rows: readonly Delivery[], at: Date): DeliveryOutcome[] {
  return rows.flatMap((row) => {
    const facts = { delivery: row, eventId: eventIdOf(row), at };
    const created = outcome('delivery.created', `${row.id}.created`, facts);
    return isTerminal(row) ? [created, endedOutcome(facts)] : [created];
  });
}

/** The outcomes of an observation; none if it changed nothing. */
export function settledOutcomes(
  { observation, after, isStored }: Settled,
  eventId: string,
): DeliveryOutcome[] {
  const { delivery } = after;
  if (!isStored || delivery === null) return [];
  const facts = { delivery, eventId, at: observation.endedAt };
  const ended = isTerminal(delivery) ? [endedOutcome(facts)] : [];
  if (observation.kind === 'cancellation') return ended;
  const id = `${delivery.id}.${observation.ordinal}`;
  return [outcome('delivery.attempted', id, facts), ...ended];
}

interface Facts {
  readonly delivery: DeliverySummary;
  readonly eventId: string;
  readonly at: Date;
}

/** The outcome of a delivery that will not be attempted again. */
export function endedOutcome(facts: Facts): DeliveryOutcome {
  return outcome('delivery.ended', `${facts.delivery.id}.ended`, facts);
}

function outcome(kind: OutcomeKind, id: string, { delivery, eventId, at }: Facts): DeliveryOutcome {
  const { workspaceId, endpointId, eventType, status, attempts, failureReason, lastAttempt } = delivery;
  const value = {
    workspaceId,
    deliveryId: delivery.id,
    endpointId,
    eventId,
    eventType,
    status,
    attempts,
    httpStatus: lastAttempt?.httpStatus ?? null,
    failureReason,
    durationMs: lastAttempt?.durationMs ?? null,
  };
  return { kind, id, traceId: delivery.traceId, at, value };
}

/** The event that a delivery carries. Every payload names it. */
export function eventIdOf({ payload }: Pick<Delivery, 'payload'>): string {
  return String(payload.eventId);
}
