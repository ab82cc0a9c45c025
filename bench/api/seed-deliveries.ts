import {
  type Attempt,
  type Delivery,
  type DeliveryState,
  type DeliveryStatus,
  newDelivery,
} from '@postrider/shared/domain/delivery';
import { deliveryIdOf } from '@postrider/shared/domain/id';
import { toAttemptDocument, toDeliveryDocument } from '@postrider/shared/mongo/documents';
import { newTraceId } from '@postrider/shared/runtime/trace';
import { BENCH_EVENT_TYPE, makeEvent } from '../generator/make-event.js';
import type { World } from '../world/world.js';
import type { OpenedWorkspace } from './open-workspace.js';

export interface Seeding {
  readonly deliveries: number;
  /** How each went, by its number; mixed unless said otherwise. */
  readonly statusOf?: (number: number) => DeliveryStatus;
  /** Size of the body that each would POST, in bytes. */
  readonly bodyBytes: number;
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Rows that are written together. */
const CHUNK = 1_000;
/** Chunks that are written at once. */
const WRITERS = 4;
const TELL_EVERY = 100_000;
/** All within the last 24 hours, and none so old that it leaves them while something is measured. */
const SPAN_MS = 23 * 60 * 60 * 1_000;

/**
 * Stores deliveries with an attempt each, as if they had been made evenly over the last 23 hours: nine of ten for the
 * workspace's first endpoint.
 */
export async function seedDeliveries(
  world: World,
  workspace: OpenedWorkspace,
  seeding: Seeding,
): Promise<void> {
  const { deliveries, attempts } = world.database.collections;
  const { statusOf = mixed, bodyBytes } = seeding;
  const now = Date.now();
  let next = 0;
  const writeChunks = async () => {
    while (next < seeding.deliveries) {
      seeding.signal.throwIfAborted();
      const first = next;
      next = Math.min(first + CHUNK, seeding.deliveries);
      const rows = Array.from({ length: next - first }, (_, index) => {
        const number = first + index;
        const age = SPAN_MS * (1 - number / seeding.deliveries);
        return rowOf(workspace, {
          number,
          status: statusOf(number),
          createdAt: new Date(now - age),
          bodyBytes,
        });
      });
      const tried = rows.filter(({ attempts: made }) => made > 0).map(attemptOf);
      const quickly = { ordered: false, writeConcern: { w: 1 } } as const;
      await deliveries.insertMany(rows.map(toDeliveryDocument), quickly);
      await attempts.insertMany(tried.map(toAttemptDocument), quickly);
      if (first % TELL_EVERY === 0)
        seeding.progress(`${first} of ${seeding.deliveries} deliveries are stored`);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writeChunks));
}

interface RowFacts {
  readonly number: number;
  readonly status: DeliveryStatus;
  readonly createdAt: Date;
  readonly bodyBytes: number;
}

function rowOf(workspace: OpenedWorkspace, { number, status, createdAt, bodyBytes }: RowFacts): Delivery {
  const endpointId = endpointOf(workspace, number);
  const { payload } = makeEvent({ seed: 1, number, workspace, occurredAt: createdAt, bodyBytes });
  const fresh = newDelivery({
    id: deliveryIdOf({ eventId: payload.eventId, occurredAt: createdAt }, endpointId),
    workspaceId: workspace.id,
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

function endpointOf({ endpointIds }: OpenedWorkspace, number: number): string {
  const [busy = '', ...others] = endpointIds;
  return number % 10 === 0 ? (others[(number / 10) % others.length] ?? busy) : busy;
}

/** Of a hundred: one pending, two failed, two of each end, the rest delivered. */
function mixed(number: number): DeliveryStatus {
  const place = number % 101;
  if (place === 0) return 'pending';
  if (place <= 2) return 'failed';
  if (place <= 4) return 'failed_permanent';
  return place <= 6 ? 'dead_lettered' : 'delivered';
}

function attemptOf({ id, workspaceId, endpointId, status, lastAttempt, createdAt }: Delivery): Attempt {
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
