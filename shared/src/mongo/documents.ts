import type { Attempt, Delivery } from '../domain/delivery.js';
import type { AttemptDocument, DeliveryDocument, Document } from './collections.js';

/** Domain object → document: the `id` becomes `_id`. */
export function toDocument<T extends { readonly id: string }>({ id, ...rest }: T): Document<T> {
  return { _id: id, ...rest };
}

/** Document → domain object. */
export function fromDocument<T extends { readonly id: string }>({ _id, ...rest }: Document<T>): T {
  return { id: _id, ...rest } as unknown as T;
}

export function toDeliveryDocument({ id, dueAt, ...rest }: Delivery): DeliveryDocument {
  return dueAt === null ? { _id: id, ...rest } : { _id: id, ...rest, dueAt };
}

export function fromDeliveryDocument({ _id, dueAt, ...rest }: DeliveryDocument): Delivery {
  return { id: _id, ...rest, dueAt: dueAt ?? null };
}

export function attemptId(deliveryId: string, ordinal: number): string {
  return `${deliveryId}:${ordinal}`;
}

export function toAttemptDocument(attempt: Attempt): AttemptDocument {
  return { _id: attemptId(attempt.deliveryId, attempt.ordinal), ...attempt };
}

export function fromAttemptDocument({ _id, ...attempt }: AttemptDocument): Attempt {
  return attempt;
}
