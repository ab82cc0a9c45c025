import {
  type Delivery,
  type DeliveryStatus,
  isTerminal,
  newDelivery,
} from '@postrider/shared/domain/delivery';
import { newId } from './api-world.js';

interface RowFacts {
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly status: DeliveryStatus;
  readonly createdAt?: Date;
  readonly payload?: Readonly<Record<string, unknown>>;
}

/** A row in some state, as the dispatcher leaves it; its id is dated like the row. */
export function deliveryRow({ status, createdAt = new Date(), payload = {}, ...owner }: RowFacts): Delivery {
  const fresh = newDelivery({
    ...owner,
    id: newId('delivery', createdAt),
    eventType: 'billing.plan_changed',
    payload,
    traceId: 'a'.repeat(32),
    createdAt,
    dueAt: createdAt,
  });
  return { ...fresh, status, dueAt: isTerminal({ status }) ? null : createdAt };
}
