import type { EventTypeName } from './event-type.js';
import type { DeliveryId, EndpointId, WorkspaceId } from './id.js';
import { MAX_ATTEMPTS } from './retry-policy.js';

export const DELIVERY_STATUSES = [
  'pending',
  'delivered',
  'failed',
  'failed_permanent',
  'dead_lettered',
] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
/** The statuses of failures. `failed` is still being retried. */
export const FAILURE_STATUSES = [
  'failed',
  'failed_permanent',
  'dead_lettered',
] as const satisfies readonly DeliveryStatus[];

/** Why an HTTP attempt failed. */
export const ATTEMPT_FAILURE_REASONS = [
  'http_status',
  'timeout',
  'connection_refused',
  'connection_reset',
  'dns',
  'tls',
  'network',
  'invalid_url',
  'blocked_address',
] as const;
export type AttemptFailureReason = (typeof ATTEMPT_FAILURE_REASONS)[number];

/** Why no TLS connection was established with a server that was reached. A closed list: it is part of the wire contract. */
export const ERROR_DETAILS = [
  'self_signed',
  'expired',
  'not_yet_valid',
  'hostname_mismatch',
  'unknown_issuer',
  'invalid_certificate',
  'not_tls',
  'handshake',
] as const;
export type ErrorDetail = (typeof ERROR_DETAILS)[number];

/** The reasons of a record that ends a delivery without an HTTP attempt. */
const BOOKKEEPING_REASONS = ['endpoint_disabled', 'endpoint_deleted', 'retries_exhausted'] as const;
export type BookkeepingReason = (typeof BOOKKEEPING_REASONS)[number];

/** Why an attempt, or the delivery as a whole, did not succeed. A closed list: it is part of the wire contract. */
export const FAILURE_REASONS = [...ATTEMPT_FAILURE_REASONS, ...BOOKKEEPING_REASONS] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];
/** Why an endpoint receives no deliveries. */
export type ClosedReason = Exclude<BookkeepingReason, 'retries_exhausted'>;

/** Deliveries of a replay job give way to all others of their endpoint. */
export type DeliveryClass = 'replay';

/** The duration of each phase of a POST, in milliseconds; null for a phase that was not reached. */
export interface AttemptTimings {
  /** With the name lookup, and with TLS if that was established; 0 on a reused connection. */
  readonly connectMs: number | null;
  readonly headersMs: number | null;
  readonly bodyMs: number | null;
}

/** The last attempt that got an HTTP response. */
export type LastResponse = Pick<LastAttempt, 'ordinal' | 'responseBody' | 'attemptedAt'> & {
  readonly httpStatus: number;
};

/** The last HTTP attempt, copied to the summary. Bookkeeping records never replace it. */
export interface LastAttempt {
  readonly ordinal: number;
  readonly httpStatus: number | null;
  readonly failureReason: AttemptFailureReason | null;
  /** Absent unless a server was reached and no TLS connection with it was established. */
  readonly errorDetail?: ErrorDetail;
  readonly responseBody: string | null;
  readonly attemptedAt: Date;
  /** Milliseconds from the first byte of work to the verdict; null when nothing was sent. */
  readonly durationMs: number | null;
}

/** The fields of a delivery that mean the same in every state. */
interface DeliveryFacts {
  readonly id: DeliveryId;
  readonly workspaceId: WorkspaceId;
  readonly endpointId: EndpointId;
  readonly eventType: EventTypeName;
  /** HTTP attempts made; bookkeeping records do not count. */
  readonly attempts: number;
  /** The delivery that an operator replayed to create this one. */
  readonly replayedFrom: DeliveryId | null;
  readonly lastAttempt: LastAttempt | null;
  /** Present if the last attempt got no response and an earlier one did. */
  readonly lastResponse?: LastResponse;
  readonly createdAt: Date;
  /** W3C trace id, 32 hex digits; sent as `x-trace-id`. */
  readonly traceId: string;
  /** Absent for a delivery that goes before the ones of replay jobs. */
  readonly class?: DeliveryClass;
  /** The start of the disabled period to which a row closed as `endpoint_disabled` belongs; absent for all other rows. */
  readonly heldSince?: Date;
  /** Present on a recovery probe: the start of the disabled period in which it tests its endpoint. */
  readonly probeOf?: Date;
}

/** The fields that depend on the state. Every state has all of them, so that every row has the same shape. */
interface State<Status, Reason, NextAttemptAt, DueAt, FailingSince> {
  readonly status: Status;
  /** The reason for the status. */
  readonly failureReason: Reason;
  readonly nextAttemptAt: NextAttemptAt;
  /** When work on the row is due; null exactly when the row is terminal. Recovery reads it; it is not on the wire. */
  readonly dueAt: DueAt;
  /** Since when the endpoint had been failing when the retries were exhausted: identifies the outage. */
  readonly failingSince: FailingSince;
}
type StateFields = State<DeliveryStatus, FailureReason | null, Date | null, Date | null, Date | null>;

/** No attempt was made yet; the first one is due. */
export type Pending = State<'pending', null, null, Date, null>;
/** The last attempt failed and another one follows: `dueAt` equals `nextAttemptAt`. */
type AwaitingRetry = State<'failed', AttemptFailureReason, Date, Date, null>;
/** The last possible attempt failed; the dead-letter queue ends the delivery, or gets it again at `dueAt`. */
type RetriesExhausted = State<'failed', AttemptFailureReason, null, Date, Date>;
type Terminal =
  | State<'delivered', null, null, null, null>
  | State<'failed_permanent', AttemptFailureReason | ClosedReason, null, null, null>
  | State<'dead_lettered', 'retries_exhausted', null, null, Date>;
export type DeliveryState = Pending | AwaitingRetry | RetriesExhausted | Terminal;

/** The state of one delivery: a fold over its immutable attempts. */
export type DeliverySummary = DeliveryFacts & DeliveryState;

/** The fields of a stored row before they are known to form a valid state. */
export type DeliveryFields = DeliveryFacts & StateFields;

/** A delivery as it is stored: its state, and the payload that makes a replay possible at any time. */
export type Delivery = DeliverySummary & {
  readonly payload: Readonly<Record<string, unknown>>;
};

export function summaryOf({ payload: _, ...summary }: Delivery): DeliverySummary {
  return summary;
}

/** One change of an endpoint's failure streak and its place in the endpoint's chain of changes. */
export interface StreakChange {
  readonly version: number;
  readonly before: number;
  readonly after: number;
}

const ATTEMPT_STATUSES = ['delivered', ...FAILURE_STATUSES] as const;
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number];

/** The fields of a record before it is known whether it is an HTTP attempt or bookkeeping. */
export interface AttemptFields extends Omit<LastAttempt, 'failureReason'> {
  readonly deliveryId: DeliveryId;
  readonly workspaceId: WorkspaceId;
  readonly endpointId: EndpointId;
  readonly status: AttemptStatus;
  readonly failureReason: FailureReason | null;
  /** Without `connection`, which is the same for every request; those of older versions also without `host` and `content-length`. */
  readonly requestHeaders: Readonly<Record<string, string>> | null;
  /** Absent in attempts of older versions and in bookkeeping. */
  readonly timings?: AttemptTimings | null;
  /** The address that was connected to, whether or not TLS followed. Absent in attempts of older versions and in bookkeeping. */
  readonly remoteAddress?: string | null;
  readonly streak: StreakChange | null;
}

export type AttemptResult =
  | { readonly status: 'delivered'; readonly failureReason: null }
  | { readonly status: 'failed' | 'failed_permanent'; readonly failureReason: AttemptFailureReason };

/** One POST and its result, or the refusal to send it. */
export type HttpAttempt = AttemptFields & AttemptResult;

type WithoutHttp = Readonly<
  Record<'httpStatus' | 'durationMs' | 'requestHeaders' | 'responseBody' | 'streak', null>
>;

/** Ends a delivery without an HTTP attempt: it takes the next ordinal and does not count as an attempt. */
export type BookkeepingRecord = AttemptFields & WithoutHttp & BookkeepingEnd;

type BookkeepingEnd =
  | { readonly status: 'failed_permanent'; readonly failureReason: ClosedReason }
  | { readonly status: 'dead_lettered'; readonly failureReason: 'retries_exhausted' };

/** An immutable record of a delivery's history. */
export type Attempt = HttpAttempt | BookkeepingRecord;

/** No further attempt will be made. */
export function isTerminal<Row extends Pick<StateFields, 'status'>>(
  delivery: Row,
): delivery is Extract<Row, Pick<Terminal, 'status'>> {
  return delivery.status !== 'pending' && delivery.status !== 'failed';
}

/** Whether an observation of this ordinal is the one that a row waits for: of its next attempt, while it may have one. */
export function acceptsAttempt(
  delivery: Pick<StateFields, 'status'> & Pick<DeliveryFacts, 'attempts'>,
  ordinal: number,
): boolean {
  return !isTerminal(delivery) && ordinal === delivery.attempts + 1 && delivery.attempts < MAX_ATTEMPTS;
}

type NewDelivery = Pick<
  Delivery,
  'id' | 'workspaceId' | 'endpointId' | 'eventType' | 'payload' | 'traceId' | 'createdAt'
> & {
  /** The time of the insert: the row is due at once. */
  readonly dueAt: Date;
  readonly replayedFrom?: DeliveryId;
  readonly class?: DeliveryClass;
  readonly probeOf?: Date;
};

export function newDelivery(facts: NewDelivery): Delivery & Pending {
  return {
    ...facts,
    status: 'pending',
    failureReason: null,
    attempts: 0,
    nextAttemptAt: null,
    replayedFrom: facts.replayedFrom ?? null,
    lastAttempt: null,
    failingSince: null,
  };
}

/** A delivery that ended before any attempt, because its endpoint was disabled, and the record of that. */
export interface HeldDelivery {
  readonly row: Delivery;
  readonly record: BookkeepingRecord;
}

/** @param since the start of the endpoint's disabled period */
export function heldDelivery({ dueAt: at, ...facts }: NewDelivery, since: Date): HeldDelivery {
  const created = newDelivery({ ...facts, dueAt: at });
  const { delivery, attempt } = endUnsent<Delivery>(created, 'endpoint_disabled', at);
  return { row: { ...delivery, heldSince: since }, record: attempt };
}

/** Ends a delivery whose endpoint receives none. @returns the ended row, and the record of that */
export function endUnsent<Row extends DeliverySummary>(delivery: Row, failureReason: ClosedReason, at: Date) {
  const end = { status: 'failed_permanent', failureReason } as const;
  return {
    delivery: { ...delivery, ...end, nextAttemptAt: null, dueAt: null, failingSince: null },
    attempt: bookkeeping(delivery, end, at),
  };
}

/** The record that ends a delivery without an HTTP attempt. */
export function bookkeeping(
  delivery: Pick<DeliveryFacts, 'id' | 'workspaceId' | 'endpointId' | 'attempts'>,
  end: BookkeepingEnd,
  at: Date,
): BookkeepingRecord {
  return {
    deliveryId: delivery.id,
    workspaceId: delivery.workspaceId,
    endpointId: delivery.endpointId,
    ordinal: delivery.attempts + 1,
    ...end,
    httpStatus: null,
    attemptedAt: at,
    durationMs: null,
    requestHeaders: null,
    responseBody: null,
    streak: null,
  };
}

/** The last attempt that got an HTTP response, so that a later time-out does not hide it; null without one. */
export function lastResponseOf({
  lastAttempt,
  lastResponse,
}: Pick<DeliveryFacts, 'lastAttempt' | 'lastResponse'>): LastResponse | null {
  if (lastAttempt === null || lastAttempt.httpStatus === null) return lastResponse ?? null;
  const { ordinal, httpStatus, responseBody, attemptedAt } = lastAttempt;
  return { ordinal, httpStatus, responseBody, attemptedAt };
}
