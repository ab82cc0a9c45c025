import { Compile } from 'typebox/compile';
import { EVENT_TYPES, type EventType } from '../domain/event-type.js';
import { EVENT_PAYLOADS, type EventPayload, type OwnFields } from './event-payloads.js';

/** A domain event: its type, where it happened, and the payload that every subscriber receives. */
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

const checks = Object.fromEntries(EVENT_TYPES.map((type) => [type, Compile(EVENT_PAYLOADS[type])]));
/** Payloads are flat: all that can be unknown is a field of the payload itself. */
const fields = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, Object.keys(EVENT_PAYLOADS[type].properties)]),
);

/**
 * The payload of an event as this version knows it: unknown fields are dropped, so a newer producer's event still
 * reads as ours.
 *
 * @returns the payload, or what is wrong with it
 */
export function projectPayload(
  type: EventType,
  value: unknown,
): { payload: EventPayload } | { problem: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: 'the value is no object' };
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
