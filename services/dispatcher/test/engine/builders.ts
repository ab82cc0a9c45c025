import { type Delivery, type DeliveryFields, newDelivery } from '@postrider/shared/domain/delivery';
import { type Endpoint, type EndpointFields, newEndpoint } from '@postrider/shared/domain/endpoint';
import { derivedId, type Id, type IdKind } from '@postrider/shared/domain/id';
import type { AttemptObservation, Cancellation } from '@postrider/shared/domain/settle';
import type { Log } from '@postrider/shared/ports/log';
import type { QueueMessage } from '@postrider/shared/ports/queue';
import { DELIVERIES_TOPIC } from '@postrider/shared/ports/topics';
import type { Overrides } from '@postrider/shared/testing/builders';
import { type Job, jobKey, type Source } from '../../src/engine/job.js';

/** The moment that every builder starts from. */
export const NOON = new Date('2026-03-02T12:00:00.000Z');

/** The moment so many milliseconds after another one, noon unless told; before it when negative. */
export function later(milliseconds: number, from: Date = NOON): Date {
  return new Date(from.getTime() + milliseconds);
}

/** A well-formed id that the same name always leads to, dated noon. */
export function idFor<Kind extends IdKind>(kind: Kind, name: string): Id<Kind> {
  return derivedId(kind, NOON, name);
}

/** Things built without overrides belong together: this workspace, this endpoint, this delivery. */
export const WORKSPACE_ID = idFor('workspace', 'acme');
export const ENDPOINT_ID = idFor('endpoint', 'orders');
export const DELIVERY_ID = idFor('delivery', 'first');
export const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

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

/** The messages of so many deliveries of one endpoint. */
export function messages(count: number, overrides: Overrides<QueueMessage> = {}): QueueMessage[] {
  return Array.from({ length: count }, (_, index) =>
    aMessage({ deliveryId: idFor('delivery', `${overrides.endpointId} ${index}`), ...overrides }),
  );
}

/** A job that is being worked on, without an offset unless told. */
export function aJob(overrides: Overrides<QueueMessage> = {}, sources: Source[] = []): Job {
  const message = aMessage(overrides);
  return { key: jobKey(message), message, sources, state: 'running' };
}

/** A place in partition 0 of the delivery topic unless told. */
export function sourceAt(offset: number, topic = DELIVERIES_TOPIC, partition = 0): Source {
  return { topic, partition, offset };
}

/** A fresh row, `pending` and due at noon. */
export function aDelivery(overrides: Overrides<DeliveryFields & Pick<Delivery, 'payload'>> = {}): Delivery {
  const fresh = newDelivery({
    id: DELIVERY_ID,
    workspaceId: WORKSPACE_ID,
    endpointId: ENDPOINT_ID,
    eventType: 'billing.plan_changed',
    payload: { previousPlan: 'free', plan: 'team' },
    traceId: TRACE_ID,
    createdAt: NOON,
    dueAt: NOON,
  });
  return { ...fresh, ...overrides } as Delivery;
}

/** An enabled endpoint with a streak of 0, created at noon. */
export function anEndpoint(overrides: Overrides<EndpointFields> = {}): Endpoint {
  const created = newEndpoint({
    id: ENDPOINT_ID,
    workspaceId: WORKSPACE_ID,
    url: 'https://hooks.example.com/orders',
    description: null,
    eventTypes: ['billing.plan_changed'],
    enabled: true,
    secret: { keyId: 'k1', nonce: 'AAAAAAAAAAAAAAAA', box: 'AAAA' },
    createdAt: NOON,
  });
  return { ...created, ...overrides } as Endpoint;
}

/** A POST that ran from noon for 40 ms and was answered with 200. */
export function anObservation(overrides: Overrides<AttemptObservation> = {}): AttemptObservation {
  return {
    kind: 'attempt',
    deliveryId: DELIVERY_ID,
    endpointId: ENDPOINT_ID,
    ordinal: 1,
    outcome: { kind: 'answered', httpStatus: 200, responseBody: null },
    attemptedAt: NOON,
    endedAt: later(40),
    durationMs: 40,
    requestHeaders: {},
    ...overrides,
  } as AttemptObservation;
}

export function aClosure(overrides: Overrides<Cancellation> = {}): Cancellation {
  return {
    kind: 'cancellation',
    deliveryId: DELIVERY_ID,
    endpointId: ENDPOINT_ID,
    ordinal: 1,
    endedAt: NOON,
    ...overrides,
  } as Cancellation;
}

/** A clock that stands still, at noon unless told, until it is moved. */
export function aClock(at: Date = NOON) {
  let milliseconds = at.getTime();
  return {
    now: () => new Date(milliseconds),
    advance(by: number) {
      milliseconds += by;
    },
  };
}

/** A log that keeps the names of the events in it, each with its level: `warn settle.failed`. */
export function aLog(): Log & { readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (level: string) => (facts: object) => {
    lines.push(`${level} ${'event' in facts ? facts.event : ''}`);
  };
  return { lines, debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };
}

/** Lets everything run that can run now, a few rounds of it. */
export async function settleDown(rounds = 10): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A promise and the hands that end it. */
export function deferred<T = void>() {
  return Promise.withResolvers<T>();
}
