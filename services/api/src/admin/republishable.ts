import { createHash } from 'node:crypto';
import { isRecord } from '@postrider/shared/domain/is-record';
import type { ReadRecord } from '@postrider/shared/kafka/read-record';
import { unframe } from '@postrider/shared/kafka/wire-format';
import type { OutgoingMessage } from '@postrider/shared/ports/queue';
import { EVENTS_TOPIC } from '@postrider/shared/ports/topics';

/** An event to publish again, unchanged. */
export interface Republishable {
  readonly message: OutgoingMessage;
  /** These are null where the message does not say. */
  readonly eventId: string | null;
  readonly type: string | null;
  readonly workspaceId: string | null;
  /** Where it was read on `workspace.events`. */
  readonly place: string;
  /** Why it is in quarantine; null for an event that is not. */
  readonly reason: string | null;
}

/** A message that the quarantine holds without its value, because it was too large. */
export interface LeftOut {
  readonly leftOut: string;
}

/** What the quarantine adds to the headers of a message. */
const ADDED = ['origin-topic', 'origin-partition', 'origin-offset', 'reason'];

/** An event as it is on its topic. */
export function storedEvent(record: ReadRecord): Republishable {
  const { partition, offset, key, value, headers, rawHeaders } = record;
  const { eventId, workspaceId } = namedIn(value);
  return {
    message: { topic: EVENTS_TOPIC, key, value, headers: rawHeaders },
    eventId,
    type: headers.ce_type ?? null,
    workspaceId: workspaceId ?? key?.toString() ?? null,
    place: `${partition}/${offset}`,
    reason: null,
  };
}

/** An event as it was before the quarantine. @returns null for a message of another topic */
export function quarantinedEvent(record: ReadRecord): Republishable | LeftOut | null {
  const { headers, rawHeaders } = record;
  if (headers['origin-topic'] !== EVENTS_TOPIC) return null;
  const place = `${headers['origin-partition']}/${headers['origin-offset']}`;
  if (headers['left-out'] !== undefined) return { leftOut: place };
  const { message, ...event } = storedEvent(record);
  const own = Object.entries(rawHeaders).filter(([name]) => !ADDED.includes(name));
  return {
    ...event,
    message: { ...message, headers: Object.fromEntries(own) },
    place,
    reason: headers.reason ?? null,
  };
}

/** Equal for copies of a message, of which the quarantine has several if it was published again and was still unreadable. */
export function digestOf({ message: { key, value, headers } }: Republishable): string {
  const named = JSON.stringify([key, headers]);
  return createHash('sha256')
    .update(named)
    .update(value ?? '')
    .digest('base64');
}

function namedIn(value: Buffer | null) {
  const json = parsed(value);
  const textOf = (name: string) => (isRecord(json) && typeof json[name] === 'string' ? json[name] : null);
  return { eventId: textOf('eventId'), workspaceId: textOf('workspaceId') };
}

function parsed(value: Buffer | null): unknown {
  try {
    return JSON.parse(unframe(value).text);
  } catch {
    return null;
  }
}
