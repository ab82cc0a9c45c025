import type { Attempt, Delivery, DeliveryStatus } from '@postrider/shared/domain/delivery';
import { asId, deliveryIdOf, type EndpointId } from '@postrider/shared/domain/id';
import { toAttemptDocument, toDeliveryDocument } from '@postrider/shared/mongo/documents';
import { newTraceId } from '@postrider/shared/runtime/trace';
import {
  aDelivery,
  aFailedDelivery,
  aLastAttempt,
  anAttempt,
  aTerminalDelivery,
} from '@postrider/shared/testing/builders';
import { KIB } from '../environment/environment.js';
import type { Namespace } from '../environment/namespace.js';
import { BENCH_EVENT_TYPE, makeEvent } from '../generator/make-event.js';
import type { Context } from '../scenario.js';
import type { StoredWorkspace } from './workspace.js';

export interface SeedPlan {
  readonly deliveries: number;
  /** The status of a delivery by its number; a realistic mixture by default. */
  readonly statusOf?: (number: number) => DeliveryStatus;
}

/** The first of each 101 deliveries; all others are delivered. */
const MIXTURE: readonly DeliveryStatus[] = [
  'pending',
  ...(['failed', 'failed_permanent', 'dead_lettered'] as const).flatMap((status) => [status, status]),
];
/** Rows in one write, and concurrent writes. */
const CHUNK = 1_000;
const WRITERS = 4;
const REPORT_EVERY = 100_000;
/** All within the last 24 hours, and none so old that it leaves them during a measurement. */
const SPAN_MS = 23 * 60 * 60 * 1_000;

/**
 * Stores deliveries with an attempt each, evenly spread over the last 23 hours, nine of ten for the first endpoint of the
 * workspace.
 */
export async function seedDeliveries(
  { signal, progress }: Context,
  { database }: Namespace,
  workspace: StoredWorkspace,
  { deliveries: total, statusOf = (number) => MIXTURE[number % 101] ?? 'delivered' }: SeedPlan,
): Promise<void> {
  const { deliveries, attempts } = database.collections;
  const now = Date.now();
  const fast = { ordered: false, writeConcern: { w: 1 } } as const;
  let next = 0;
  const writeChunks = async () => {
    while (next < total) {
      signal.throwIfAborted();
      const first = next;
      next = Math.min(first + CHUNK, total);
      const rows = Array.from({ length: next - first }, (_, index) => {
        const number = first + index;
        const createdAt = new Date(now - SPAN_MS * (1 - number / total));
        const event = makeEvent({ seed: 1, number, workspace, occurredAt: createdAt, bodyBytes: KIB });
        return createRow(statusOf(number), endpointOf(workspace, number), event.payload);
      });
      const attempted = rows.filter((row) => row.attempts > 0);
      await deliveries.insertMany(rows.map(toDeliveryDocument), fast);
      await attempts.insertMany(attempted.map(createAttempt).map(toAttemptDocument), fast);
      if (first % REPORT_EVERY === 0) progress(`${first} of ${total} deliveries stored`);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writeChunks));
}

function createRow(
  status: DeliveryStatus,
  endpointId: EndpointId,
  payload: ReturnType<typeof makeEvent>['payload'],
): Delivery {
  const createdAt = new Date(payload.occurredAt);
  const fields = {
    id: deliveryIdOf({ eventId: payload.eventId, occurredAt: createdAt }, endpointId),
    workspaceId: asId('workspace', payload.workspaceId),
    endpointId,
    eventType: BENCH_EVENT_TYPE,
    payload: { ...payload },
    traceId: newTraceId(),
    createdAt,
  };
  if (status === 'pending') return aDelivery({ ...fields, dueAt: createdAt });
  const answer = status === 'delivered' ? { httpStatus: 200, failureReason: null } : {};
  const lastAttempt = aLastAttempt({ ...answer, attemptedAt: createdAt, durationMs: 12 });
  const attempted = { ...fields, attempts: 1, lastAttempt };
  if (status === 'failed')
    return aFailedDelivery(1, { ...attempted, nextAttemptAt: createdAt, dueAt: createdAt });
  return aTerminalDelivery(status, attempted);
}

function createAttempt({ id, workspaceId, endpointId, status, lastAttempt }: Delivery): Attempt {
  return anAttempt({
    ...lastAttempt,
    deliveryId: id,
    workspaceId,
    endpointId,
    status: status === 'delivered' || status === 'failed_permanent' ? status : 'failed',
    requestHeaders: { 'webhook-id': id, 'content-type': 'application/json', 'user-agent': 'Postrider/0' },
    streak: null,
  });
}

function endpointOf({ endpointIds: [busy, ...others] }: StoredWorkspace, number: number): EndpointId {
  return number % 10 === 0 && others.length > 0 ? others[(number / 10) % others.length]! : busy!;
}
