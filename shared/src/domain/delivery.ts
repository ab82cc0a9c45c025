import type { DeliveredEventType } from './event-type.js';

export const DELIVERY_STATUSES = [
  'pending',
  'delivered',
  'failed',
  'failed_permanent',
  'dead_lettered',
] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Why an attempt, or the delivery as a whole, did not succeed. A closed list: it is part of the wire contract. */
export const FAILURE_REASONS = [
  'http_status',
  'timeout',
  'connection_refused',
  'connection_reset',
  'dns',
  'tls',
  'network',
  'invalid_url',
  'blocked_address',
  'endpoint_disabled',
  'endpoint_deleted',
  'retries_exhausted',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** The last HTTP evidence, kept on the summary. Bookkeeping records never replace it. */
export interface LastAttempt {
  readonly ordinal: number;
  readonly httpStatus: number | null;
  readonly failureReason: FailureReason | null;
  readonly responseBody: string | null;
  readonly attemptedAt: Date;
  readonly durationMs: number | null;
}

/** The state of one delivery: a fold over its immutable attempts. */
export interface DeliverySummary {
  readonly id: string;
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly eventType: DeliveredEventType;
  readonly status: DeliveryStatus;
  /** The reason behind the status. */
  readonly failureReason: FailureReason | null;
  /** HTTP attempts made; bookkeeping records do not count. */
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  /** The delivery that an operator replayed to make this one. */
  readonly replayedFrom: string | null;
  readonly lastAttempt: LastAttempt | null;
  readonly createdAt: Date;
  /** When work on this row is due; null exactly when the row is terminal. Healing reads it, the wire never shows it. */
  readonly dueAt: Date | null;
  /** W3C trace id, 32 hex digits; travels in `x-trace-id`. */
  readonly traceId: string;
  /** Since when the endpoint had been failing at this row's last failure: tells one outage from the next. */
  readonly failingSince: Date | null;
}

/** A delivery as it is stored: its state, and the payload that makes a replay possible at any time. */
export interface Delivery extends DeliverySummary {
  readonly payload: Readonly<Record<string, unknown>>;
}

/** One change of an endpoint's failure streak and its place in the endpoint's chain of changes. */
export interface StreakChange {
  readonly version: number;
  readonly before: number;
  readonly after: number;
}

export const ATTEMPT_STATUSES = ['delivered', 'failed', 'failed_permanent', 'dead_lettered'] as const;
export type AttemptStatus = (typeof ATTEMPT_STATUSES)[number];

/** Immutable evidence: an HTTP attempt, or the bookkeeping record that ended a delivery without one. */
export interface Attempt {
  readonly deliveryId: string;
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly ordinal: number;
  readonly status: AttemptStatus;
  readonly httpStatus: number | null;
  readonly failureReason: FailureReason | null;
  readonly attemptedAt: Date;
  /** Milliseconds from the first byte of work to the verdict; null for bookkeeping and for what was never sent. */
  readonly durationMs: number | null;
  readonly requestHeaders: Readonly<Record<string, string>> | null;
  readonly responseBody: string | null;
  readonly streak: StreakChange | null;
}

/** No further attempt will be made. */
export function isTerminal(delivery: Pick<DeliverySummary, 'status'>): boolean {
  return delivery.status !== 'pending' && delivery.status !== 'failed';
}

/** What an operator may replay (specification, section 3.1). */
export function isReplayable(delivery: Pick<DeliverySummary, 'status'>): boolean {
  return delivery.status !== 'pending' && delivery.status !== 'delivered';
}

/** What a new row needs to be told; the rest follows. */
export interface NewDelivery {
  readonly id: string;
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly eventType: DeliveredEventType;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly traceId: string;
  readonly createdAt: Date;
  /** The time of the insert: the row is due at once. */
  readonly dueAt: Date;
  readonly replayedFrom?: string;
}

export function newDelivery(facts: NewDelivery): Delivery {
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
