import { type Delivery, type DeliveryStatus, newDelivery } from '@postrider/shared/domain/delivery';
import { asId } from '@postrider/shared/domain/id';
import { toDeliveryDocument } from '@postrider/shared/mongo/documents';
import { type ApiWorld, newId } from './api-world.js';

interface RowFacts {
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly status: DeliveryStatus;
  readonly createdAt?: Date;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly replayedFrom?: string;
}

/** A delivery with a given status; its id has its creation time. */
export function deliveryRow({
  status,
  createdAt = new Date(),
  payload = {},
  replayedFrom,
  ...owner
}: RowFacts): Delivery {
  const fresh = newDelivery({
    workspaceId: asId('workspace', owner.workspaceId),
    endpointId: asId('endpoint', owner.endpointId),
    id: newId('delivery', createdAt),
    eventType: 'billing.plan_changed',
    payload,
    traceId: 'a'.repeat(32),
    createdAt,
    dueAt: createdAt,
    ...(replayedFrom !== undefined && { replayedFrom: asId('delivery', replayedFrom) }),
  });
  if (status === 'pending') return fresh;
  if (status === 'delivered') return { ...fresh, status, dueAt: null };
  const reasons = {
    failed: { failureReason: 'timeout', nextAttemptAt: createdAt, dueAt: createdAt },
    failed_permanent: { failureReason: 'http_status', dueAt: null },
    dead_lettered: { failureReason: 'retries_exhausted', dueAt: null, failingSince: createdAt },
  } as const;
  return { ...fresh, status, ...reasons[status] } as Delivery;
}

/** The same, stored in the world's workspace. */
export async function storedDelivery(
  { database, workspace }: ApiWorld,
  facts: Omit<RowFacts, 'workspaceId'>,
): Promise<Delivery> {
  const row = deliveryRow({ ...facts, workspaceId: workspace.id });
  await database.collections.deliveries.insertOne(toDeliveryDocument(row));
  return row;
}
