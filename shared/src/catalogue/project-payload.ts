import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { EventType } from '../domain/event-type.js';
import { isRecord } from '../domain/is-record.js';
import { A_DATE_TIME, readDateTime } from '../domain/read-date-time.js';
import { EVENT_PAYLOADS, type EventPayload } from '../events/event-payloads.js';
import { createCompiler } from './validator.js';

const compile = createCompiler('first');
const compiled = new Map<EventType, ValidateFunction>();

/** Each is compiled at its first use. */
function checkOf(type: EventType): ValidateFunction {
  const existing = compiled.get(type);
  if (existing !== undefined) return existing;
  const check = compile(EVENT_PAYLOADS[type]);
  compiled.set(type, check);
  return check;
}

/**
 * Validates the payload of an event of a built-in type and drops unknown fields, so that a newer producer's event is accepted.
 * Its time becomes UTC with milliseconds.
 *
 * @returns the payload, or why it is invalid
 */
export function projectPayload(
  type: EventType,
  value: unknown,
): { payload: EventPayload } | { problem: string } {
  if (!isRecord(value)) return { problem: 'the value is not an object' };
  const payload = pick(value, EVENT_PAYLOADS[type].required);
  const check = checkOf(type);
  if (check(payload)) return withTime(payload as EventPayload);
  const [first] = check.errors ?? [];
  return {
    problem: `${first?.instancePath || 'the value'} ${first?.message ?? 'does not match its schema'}`,
  };
}

function withTime(payload: EventPayload): { payload: EventPayload } | { problem: string } {
  const occurredAt = readDateTime(payload.occurredAt);
  if (occurredAt === null) return { problem: `occurredAt is not ${A_DATE_TIME}` };
  const text = occurredAt.toISOString();
  return { payload: text === payload.occurredAt ? payload : { ...payload, occurredAt: text } };
}

/** Payloads are flat, and all of their fields are required: only top-level fields can be unknown. */
function pick(value: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of names) if (Object.hasOwn(value, name)) picked[name] = value[name];
  return picked;
}
