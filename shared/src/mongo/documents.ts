import type { Attempt, AttemptFields, Delivery, DeliveryFields, Pending } from '../domain/delivery.js';
import { firstDue } from '../domain/first-due.js';
import type { AttemptDocument, DeliveryDocument, Document, RecordDocument } from './collections.js';

/** Domain object → document: the `id` becomes `_id`. */
export function toDocument<T extends { readonly id: string }>({ id, ...rest }: T): Document<T> {
  return { _id: id, ...rest } as unknown as Document<T>;
}

/** Document → domain object. */
export function fromDocument<T extends { readonly id: string }>({ _id, ...rest }: Document<T>): T {
  return Object.assign(rest, { id: _id }) as unknown as T;
}

/** The projection of exactly the fields of a domain object; `_id` is always included. */
export type FieldsOf<T extends { readonly id: string }> = {
  readonly [Field in Exclude<keyof T, 'id'>]-?: 1;
};

export function toDeliveryDocument({ id, dueAt, ...rest }: Delivery): DeliveryDocument {
  return dueAt === null ? { _id: id, ...rest } : { _id: id, ...rest, dueAt };
}

/** The document of a delivery that is about to be stored. */
export function toNewDeliveryDocument(delivery: Delivery & Pending): DeliveryDocument {
  return toDeliveryDocument({ ...delivery, dueAt: firstDue(delivery.dueAt, Date.now()) });
}

/** The fields of a row as they are stored, whether or not they form a valid state. */
export function deliveryFields({ _id, dueAt, records: _, ...rest }: DeliveryDocument): DeliveryFields {
  return Object.assign(rest, { id: _id, dueAt: dueAt ?? null }) as unknown as DeliveryFields;
}

/**
 * Trusts the stored state instead of checking each row: all states have the same fields, so one that contradicts
 * itself breaks no reader. `admin verify` reports it.
 */
export function fromDeliveryDocument(document: DeliveryDocument): Delivery {
  return deliveryFields(document) as Delivery;
}

export function attemptId(deliveryId: string, ordinal: number): string {
  return `${deliveryId}:${ordinal}`;
}

export function toAttemptDocument(attempt: Omit<AttemptDocument, '_id'>): AttemptDocument {
  return { _id: attemptId(attempt.deliveryId, attempt.ordinal), ...attempt };
}

export function attemptFields({ _id, ...attempt }: AttemptDocument): AttemptFields {
  return attempt as unknown as AttemptFields;
}

/** An attempt as its delivery's row stores it. */
export function toRecordDocument({
  deliveryId: _,
  workspaceId: __,
  endpointId: ___,
  ...record
}: Attempt): RecordDocument {
  return record;
}

/** The attempts in a row, by ordinal. */
export function embeddedAttempts({
  _id: deliveryId,
  workspaceId,
  endpointId,
  records = [],
}: Pick<DeliveryDocument, '_id' | 'workspaceId' | 'endpointId' | 'records'>): AttemptFields[] {
  return records.map((record) => ({ deliveryId, workspaceId, endpointId, ...record }) as AttemptFields);
}
