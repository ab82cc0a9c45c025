import { Compile } from 'typebox/compile';
import { EVENT_TYPES, type EventType, type EventTypeName } from '../domain/event-type.js';
import { EVENT_PAYLOADS, type EventPayload, type OwnFields } from './event-payloads.js';

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

const checks = Object.fromEntries(EVENT_TYPES.map((type) => [type, Compile(EVENT_PAYLOADS[type])]));
/** Payloads are flat: only top-level fields can be unknown. */
const fields = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, Object.keys(EVENT_PAYLOADS[type].properties)]),
);

/**
 * Validates the payload of an event and drops unknown fields, so that a newer producer's event is accepted.
 *
 * @returns the payload, or why it is invalid
 */
export function projectPayload(
  type: EventType,
  value: unknown,
): { payload: EventPayload } | { problem: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: 'the value is not an object' };
  const payload = pick(value as Record<string, unknown>, fields[type] ?? []);
  const check = checks[type];
  if (check?.Check(payload)) return { payload: payload as EventPayload };
  const [first] = check?.Errors(payload) ?? [];
  return {
    problem: `${first?.instancePath || 'the value'} ${first?.message ?? 'does not match its schema'}`.trim(),
  };
}

function pick(value: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of names) if (Object.hasOwn(value, name)) picked[name] = value[name];
  return picked;
}
