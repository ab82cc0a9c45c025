import {
  type Attempt,
  type Delivery,
  type DeliveryState,
  type DeliveryStatus,
  newDelivery,
} from '@postrider/shared/domain/delivery';
import { asId, deliveryIdOf, type EndpointId } from '@postrider/shared/domain/id';
import { toAttemptDocument, toDeliveryDocument } from '@postrider/shared/mongo/documents';
import { newTraceId } from '@postrider/shared/runtime/trace';
import type { Context } from '../context.js';
import type { Namespace } from '../environment/namespace.js';
import { BENCH_EVENT_TYPE, makeEvent } from '../generator/make-event.js';
import type { StoredWorkspace } from './workspace.js';

export interface SeedPlan {
  readonly deliveries: number;
  /** The status of a delivery by its number; a realistic mixture by default. */
  readonly statusOf?: (number: number) => DeliveryStatus;
}

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
  { options, signal, progress }: Context,
  { database }: Namespace,
  workspace: StoredWorkspace,
  { deliveries: total, statusOf = mixedStatus }: SeedPlan,
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
        const { bodyBytes } = options;
        const event = makeEvent({ seed: 1, number, workspace, occurredAt: createdAt, bodyBytes });
        const endpointId = endpointOf(workspace, number);
        return createRow({ endpointId, payload: event.payload, status: statusOf(number), createdAt });
      });
      const attempted = rows.filter((row) => row.attempts > 0);
      await deliveries.insertMany(rows.map(toDeliveryDocument), fast);
      await attempts.insertMany(attempted.map(createAttempt).map(toAttemptDocument), fast);
      if (first % REPORT_EVERY === 0) progress(`${first} of ${total} deliveries stored`);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writeChunks));
}

interface RowFacts extends Pick<Delivery, 'endpointId' | 'status' | 'createdAt'> {
  readonly payload: ReturnType<typeof makeEvent>['payload'];
}

function createRow({ endpointId, payload, status, createdAt }: RowFacts): Delivery {
  const fresh = newDelivery({
    id: deliveryIdOf({ eventId: payload.eventId, occurredAt: createdAt }, endpointId),
    workspaceId: asId('workspace', payload.workspaceId),
    endpointId,
    eventType: BENCH_EVENT_TYPE,
    payload: { ...payload },
    traceId: newTraceId(),
    createdAt,
    dueAt: createdAt,
  });
  if (status === 'pending') return fresh;
  const lastAttempt = {
    ordinal: 1,
    httpStatus: status === 'delivered' ? 200 : 503,
    failureReason: status === 'delivered' ? null : 'http_status',
    responseBody: 'ok',
    attemptedAt: createdAt,
    durationMs: 12,
  } as const;
  return { ...fresh, ...stateOf(status, createdAt), attempts: 1, lastAttempt };
}

function stateOf(status: Exclude<DeliveryStatus, 'pending'>, at: Date): DeliveryState {
  const ended = { nextAttemptAt: null, dueAt: null, failingSince: null };
  switch (status) {
    case 'delivered':
      return { ...ended, status, failureReason: null };
    case 'failed':
      return { status, failureReason: 'http_status', nextAttemptAt: at, dueAt: at, failingSince: null };
    case 'failed_permanent':
      return { ...ended, status, failureReason: 'http_status' };
    case 'dead_lettered':
      return { ...ended, status, failureReason: 'retries_exhausted', failingSince: at };
  }
}

function endpointOf({ endpointIds }: StoredWorkspace, number: number): EndpointId {
  const [busy = asId('endpoint', ''), ...others] = endpointIds;
  return number % 10 === 0 ? (others[(number / 10) % others.length] ?? busy) : busy;
}

/** Of a hundred: one pending, two failed, two permanently failed, two dead letters, the rest delivered. */
function mixedStatus(number: number): DeliveryStatus {
  const place = number % 101;
  if (place === 0) return 'pending';
  if (place <= 2) return 'failed';
  if (place <= 4) return 'failed_permanent';
  return place <= 6 ? 'dead_lettered' : 'delivered';
}

function createAttempt({ id, workspaceId, endpointId, status, lastAttempt, createdAt }: Delivery): Attempt {
  return {
    deliveryId: id,
    workspaceId,
    endpointId,
    ordinal: 1,
    ...(status === 'delivered'
      ? { status, failureReason: null }
      : { status: status === 'failed_permanent' ? status : 'failed', failureReason: 'http_status' }),
    httpStatus: lastAttempt?.httpStatus ?? null,
    attemptedAt: createdAt,
    durationMs: 12,
    requestHeaders: { 'webhook-id': id, 'content-type': 'application/json', 'user-agent': 'Postrider/0' },
    responseBody: 'ok',
    streak: null,
  };
}
