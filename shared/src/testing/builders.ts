import {
  type Attempt,
  type AttemptFields,
  type Delivery,
  type DeliveryFields,
  type LastAttempt,
  newDelivery,
} from '../domain/delivery.js';
import { type Endpoint, type EndpointFields, type NewEndpoint, newEndpoint } from '../domain/endpoint.js';
import { derivedId, type Id, type IdKind, type PlainIds } from '../domain/id.js';
import type { Outcome, UnreachableReason, UnsendableReason } from '../domain/judge.js';
import {
  backoffMs,
  DEAD_LETTER_DUE_MS,
  DEFAULT_RETRY_STEP_MS,
  MAX_ATTEMPTS,
} from '../domain/retry-policy.js';
import type { SealedSecret } from '../domain/sealed-secret.js';
import type { AttemptObservation, Cancellation } from '../domain/settle.js';
import type { QueueMessage } from '../ports/queue.js';

/** Any fields, with identifiers as plain text: a test may also build contradictory states. */
export type Overrides<T> = { readonly [Field in keyof T]?: PlainIds<T[Field]> };

/** The reference time of all builders. */
export const NOON = new Date('2026-03-02T12:00:00.000Z');

/** The time this many milliseconds after `from`, by default noon. */
export function later(milliseconds: number, from: Date = NOON): Date {
  return new Date(from.getTime() + milliseconds);
}

/** A well-formed id that depends only on kind, name and time. */
export function idFor<Kind extends IdKind>(kind: Kind, name: string, at: Date = NOON): Id<Kind> {
  return derivedId(kind, at, name);
}

/** The ids of everything built without overrides. */
export const WORKSPACE_ID = idFor('workspace', 'acme');
export const ENDPOINT_ID = idFor('endpoint', 'orders');
export const DELIVERY_ID = idFor('delivery', 'first');
export const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

/** A sealed secret that is distinguished by name and cannot be decrypted. */
export function aSealedSecret(name = 'current'): SealedSecret {
  return { keyId: 'k1', nonce: 'AAAAAAAAAAAAAAAA', box: Buffer.from(name).toString('base64') };
}

/** An enabled endpoint with a streak of 0, created at noon. `eventTypes` become subscriptions since its creation. */
export function anEndpoint(overrides: Overrides<EndpointFields & NewEndpoint> = {}): Endpoint {
  const { eventTypes = ['billing.plan_changed'], secret = aSealedSecret(), ...rest } = overrides;
  const created = newEndpoint({
    id: ENDPOINT_ID,
    workspaceId: WORKSPACE_ID,
    url: 'https://hooks.example.com/orders/s3cret-path',
    description: null,
    eventTypes,
    enabled: rest.enabled ?? true,
    secret,
    createdAt: rest.createdAt ?? NOON,
  });
  return { ...created, ...(rest.deletedAt && { secrets: null }), ...rest } as Endpoint;
}

/** An endpoint in the middle of an outage that began a minute before noon. */
export function aFailingEndpoint(
  consecutiveFailures: number,
  overrides: Overrides<EndpointFields> = {},
): Endpoint {
  const streak = {
    consecutiveFailures,
    streakVersion: consecutiveFailures,
    failingSince: consecutiveFailures === 0 ? null : later(-60_000),
  };
  return anEndpoint({ ...streak, ...overrides });
}

/** A fresh row, `pending` and due at noon. */
export function aDelivery(overrides: Overrides<DeliveryFields & Pick<Delivery, 'payload'>> = {}): Delivery {
  const fresh = newDelivery({
    id: DELIVERY_ID,
    workspaceId: WORKSPACE_ID,
    endpointId: ENDPOINT_ID,
    eventType: 'billing.plan_changed',
    payload: {
      eventId: idFor('event', 'plan changed'),
      occurredAt: NOON.toISOString(),
      workspaceId: WORKSPACE_ID,
      previousPlan: 'free',
      plan: 'team',
    },
    traceId: TRACE_ID,
    createdAt: NOON,
    dueAt: NOON,
  });
  return { ...fresh, ...overrides } as Delivery;
}

/** The last attempt of a summary: a 503 at noon. */
export function aLastAttempt(overrides: Partial<LastAttempt> = {}): LastAttempt {
  return {
    ordinal: 1,
    httpStatus: 503,
    failureReason: 'http_status',
    responseBody: 'busy',
    attemptedAt: NOON,
    durationMs: 0,
    ...overrides,
  };
}

/** A row whose last of `attempts` retryable failures ended at noon; after the seventh it waits to be dead-lettered. */
export function aFailedDelivery(
  attempts: number,
  overrides: Overrides<DeliveryFields & Pick<Delivery, 'payload'>> = {},
): Delivery {
  const exhausted = attempts >= MAX_ATTEMPTS;
  const due = later(exhausted ? DEAD_LETTER_DUE_MS : backoffMs(attempts, DEFAULT_RETRY_STEP_MS));
  return aDelivery({
    status: 'failed',
    failureReason: 'http_status',
    attempts,
    lastAttempt: aLastAttempt({ ordinal: attempts }),
    nextAttemptAt: exhausted ? null : due,
    dueAt: due,
    failingSince: exhausted ? later(-60_000) : null,
    ...overrides,
  });
}

/** A terminal row, by default after one attempt. */
export function aTerminalDelivery(
  status: 'delivered' | 'failed_permanent' | 'dead_lettered',
  overrides: Overrides<DeliveryFields & Pick<Delivery, 'payload'>> = {},
): Delivery {
  const attempts = status === 'dead_lettered' ? MAX_ATTEMPTS : 1;
  const reasons = {
    delivered: null,
    failed_permanent: 'http_status',
    dead_lettered: 'retries_exhausted',
  } as const;
  return aDelivery({
    status,
    failureReason: reasons[status],
    attempts,
    lastAttempt: aLastAttempt({ ordinal: attempts, ...ANSWERS[status] }),
    dueAt: null,
    ...overrides,
  });
}

const ANSWERS = {
  delivered: { httpStatus: 200, failureReason: null, responseBody: 'ok' },
  failed_permanent: { httpStatus: 404 },
  dead_lettered: {},
} as const;

/** The record of a 503 at noon, the first failure of its endpoint. */
export function anAttempt(overrides: Overrides<AttemptFields> = {}): Attempt {
  return {
    ...aLastAttempt(),
    deliveryId: DELIVERY_ID,
    workspaceId: WORKSPACE_ID,
    endpointId: ENDPOINT_ID,
    status: 'failed',
    requestHeaders: { 'webhook-id': DELIVERY_ID },
    streak: { version: 1, before: 0, after: 1 },
    ...overrides,
  } as Attempt;
}

/** A POST that ran from noon for 40 ms and was answered with 200. */
export function anAttemptObservation(overrides: Overrides<AttemptObservation> = {}): AttemptObservation {
  return {
    kind: 'attempt',
    deliveryId: DELIVERY_ID,
    endpointId: ENDPOINT_ID,
    ordinal: 1,
    outcome: answered(200),
    attemptedAt: NOON,
    endedAt: later(40),
    durationMs: 40,
    requestHeaders: { 'webhook-id': DELIVERY_ID },
    ...overrides,
  } as AttemptObservation;
}

/** The cancellation of a delivery whose first message was due at noon, when its endpoint was disabled. */
export function aCancellation(overrides: Overrides<Cancellation> = {}): Cancellation {
  return {
    kind: 'cancellation',
    deliveryId: DELIVERY_ID,
    endpointId: ENDPOINT_ID,
    ordinal: 1,
    endedAt: NOON,
    ...overrides,
  } as Cancellation;
}

/** The first message of a delivery. */
export function aMessage(overrides: Overrides<QueueMessage> = {}): QueueMessage {
  return {
    deliveryId: DELIVERY_ID,
    endpointId: ENDPOINT_ID,
    workspaceId: WORKSPACE_ID,
    ordinal: 1,
    traceId: TRACE_ID,
    ...overrides,
  } as QueueMessage;
}

export function answered(httpStatus: number, responseBody: string | null = null): Outcome {
  return { kind: 'answered', httpStatus, responseBody };
}

export function unreachable(reason: UnreachableReason = 'timeout'): Outcome {
  return { kind: 'unreachable', reason };
}

export function unsendable(reason: UnsendableReason = 'blocked_address'): Outcome {
  return { kind: 'unsendable', reason };
}

/** The name of an outcome in test names: `503`, `timeout`, `invalid_url`. */
export function nameOf(outcome: Outcome): string {
  return outcome.kind === 'answered' ? `${outcome.httpStatus}` : outcome.reason;
}
