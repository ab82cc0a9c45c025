import type { Attempt, Delivery } from '../domain/delivery.js';
import type { AttemptDocument, DeliveryDocument, Document } from './collections.js';

/** Domain object → document: the `id` becomes `_id`. */
export function toDocument<T extends { readonly id: string }>({ id, ...rest }: T): Document<T> {
  return { _id: id, ...rest };
}

/** Document → domain object. */
export function fromDocument<T extends { readonly id: string }>({ _id, ...rest }: Document<T>): T {
  return Object.assign(rest, { id: _id }) as unknown as T;
}

/** The projection that reads all fields of a domain object and no others; `_id` comes by itself. */
export type FieldsOf<T extends { readonly id: string }> = { readonly [Field in Exclude<keyof T, 'id'>]: 1 };

export function toDeliveryDocument({ id, dueAt, ...rest }: Delivery): DeliveryDocument {
  return dueAt === null ? { _id: id, ...rest } : { _id: id, ...rest, dueAt };
}

export function fromDeliveryDocument({ _id, dueAt, ...rest }: DeliveryDocument): Delivery {
  return Object.assign(rest, { id: _id, dueAt: dueAt ?? null });
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
