import type { Attempt } from '../domain/delivery.js';
import type { Collections } from '../mongo/collections.js';
import { attemptFields, embeddedAttempts } from '../mongo/documents.js';

/** All attempts of an endpoint, of a delivery or of all, wherever they are stored, ordered by delivery and ordinal. */
export async function storedAttempts(
  { deliveries, attempts }: Pick<Collections, 'deliveries' | 'attempts'>,
  { endpointId, deliveryId }: { readonly endpointId?: string; readonly deliveryId?: string } = {},
): Promise<readonly Attempt[]> {
  const ofEndpoint = endpointId !== undefined && { endpointId };
  const rows = await deliveries
    .find({ ...ofEndpoint, ...(deliveryId !== undefined && { _id: deliveryId }) })
    .toArray();
  const separate = await attempts
    .find({ ...ofEndpoint, ...(deliveryId !== undefined && { deliveryId }) })
    .toArray();
  const found = [...separate.map(attemptFields), ...rows.flatMap(embeddedAttempts)];
  const key = ({ deliveryId: id, ordinal }: Pick<Attempt, 'deliveryId' | 'ordinal'>) => `${id}:${ordinal}`;
  return found.sort((one, other) => (key(one) < key(other) ? -1 : 1)) as Attempt[];
}
