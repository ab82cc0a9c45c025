import type { Attempt, Delivery, DeliveryStatus } from '@postrider/shared/domain/delivery';
import { asId, deliveryIdOf, type EndpointId } from '@postrider/shared/domain/id';
import type { DeliveryDocument } from '@postrider/shared/mongo/collections';
import { toDeliveryDocument, toRecordDocument } from '@postrider/shared/mongo/documents';
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
  /** 10 by default. */
  readonly endpoints?: number;
  readonly deliveries: number;
  /** The status of a delivery by its number; a realistic mixture by default. */
  readonly statusOf?: (number: number) => DeliveryStatus;
  /** The age of the last delivery in milliseconds, 0 by default. */
  readonly ageMs?: number;
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
 * Stores deliveries with an attempt each, evenly spread over 23 hours, nine of ten for the first endpoint of the workspace.
 */
export async function seedDeliveries(
  { signal, progress }: Context,
  { database }: Namespace,
  workspace: StoredWorkspace,
  { deliveries: total, statusOf = (number) => MIXTURE[number % 101] ?? 'delivered', ageMs = 0 }: SeedPlan,
): Promise<void> {
  const { deliveries } = database.collections;
  const last = Date.now() - ageMs;
  const fast = { ordered: false, writeConcern: { w: 1 } } as const;
  let next = 0;
  const writeChunks = async () => {
    while (next < total) {
      signal.throwIfAborted();
      const first = next;
      next = Math.min(first + CHUNK, total);
      const rows = Array.from({ length: next - first }, (_, index) => {
        const number = first + index;
        const createdAt = new Date(last - SPAN_MS * (1 - number / total));
        const event = makeEvent({ seed: 1, number, workspace, occurredAt: createdAt, bodyBytes: KIB });
        return createRow(statusOf(number), endpointOf(workspace, number), event.payload);
      });
      await deliveries.insertMany(rows.map(toStoredRow), fast);
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

function toStoredRow(row: Delivery): DeliveryDocument {
  const document = toDeliveryDocument(row);
  return row.attempts === 0 ? document : { ...document, records: [toRecordDocument(createAttempt(row))] };
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

/** Does not copy the list for each row: a workspace may have 100,000 endpoints. */
function endpointOf({ endpointIds }: StoredWorkspace, number: number): EndpointId {
  const others = endpointIds.length - 1;
  const index = number % 10 === 0 && others > 0 ? 1 + ((number / 10) % others) : 0;
  return endpointIds[index]!;
}
