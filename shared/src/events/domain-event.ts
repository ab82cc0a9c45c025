import type { EventType, EventTypeName } from '../domain/event-type.js';
import type { EventPayload, OwnFields } from './event-payloads.js';

/** A domain event: its type, its workspace, and the payload that every subscriber receives. */
export interface DomainEvent<T extends EventType = EventType> {
  readonly type: T;
  readonly workspaceSlug: string;
  readonly payload: EventPayload<T>;
}

interface NewEvent<T extends EventType> {
  readonly type: T;
  readonly id: string;
  readonly workspace: { readonly id: string; readonly slug: string };
  readonly occurredAt: Date;
  readonly own: OwnFields<T>;
}

export function domainEvent<T extends EventType>({
  type,
  id,
  workspace,
  occurredAt,
  own,
}: NewEvent<T>): DomainEvent<T> {
  const common = { eventId: id, occurredAt: occurredAt.toISOString(), workspaceId: workspace.id };
  return {
    type,
    workspaceSlug: workspace.slug,
    payload: { ...common, ...own } as unknown as EventPayload<T>,
  };
}

/** An event of a custom type. Its fields are checked by the catalogue. */
export interface CustomEvent {
  readonly type: EventTypeName;
  readonly workspaceSlug: string;
  readonly payload: CustomPayload;
}

/** The payload of a custom event: the fields that every event has, and its own. */
export interface CustomPayload {
  readonly eventId: string;
  readonly occurredAt: string;
  readonly workspaceId: string;
  readonly [field: string]: unknown;
}

export function customEvent(event: {
  readonly type: EventTypeName;
  readonly id: string;
  readonly workspace: { readonly id: string; readonly slug: string };
  readonly occurredAt: Date;
  /** Has none of the fields that every event has. */
  readonly fields: Readonly<Record<string, unknown>>;
}): CustomEvent {
  const { type, id, workspace, occurredAt, fields } = event;
  const common = { eventId: id, occurredAt: occurredAt.toISOString(), workspaceId: workspace.id };
  return { type, workspaceSlug: workspace.slug, payload: { ...common, ...fields } };
}
