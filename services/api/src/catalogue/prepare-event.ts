import type { Catalogue } from '@postrider/shared/catalogue/catalogue';
import type { EventFields } from '@postrider/shared/catalogue/event-type-definition';
import { isEventType, TEST_EVENT_TYPE } from '@postrider/shared/domain/event-type';
import type { PublishEvent } from '../contract/event.js';
import type { InputError } from '../domain/refusal.js';
import { droppedFields } from './dropped-fields.js';

/** An event that may be published. */
export interface PreparedEvent {
  readonly type: string;
  readonly occurredAt: Date;
  /** Only fields that the schema names. */
  readonly fields: EventFields;
  /** The paths of some of the dropped fields, such as `data.color`. */
  readonly dropped: readonly string[];
}

/** Why an event may not be published. */
export interface Refused {
  readonly tag: 'UnknownEventType' | 'ReservedEventType' | 'InvalidRequest';
  readonly mistakes: readonly InputError[];
}

/** How far a caller's clock may be ahead, in milliseconds. */
const CLOCK_ALLOWANCE_MS = 5_000;
const OLDEST_MS = 7 * 24 * 60 * 60 * 1_000;
/** Maximum size of the fields as they are published, in bytes: a broker refuses messages of more than 1 MiB by default. */
const MAX_STORED_BYTES = 512 * 1_024;
const TOO_LARGE = `must be at most ${MAX_STORED_BYTES} bytes with all digits of its numbers: 1e20 has 21`;
const UNKNOWN = 'is not a type of the catalogue; one that was just applied is known within 10 seconds';

/**
 * Checks an event against the catalogue.
 *
 * @param path of the event in the request; empty for the request itself
 */
export function prepareEvent(
  event: PublishEvent,
  { catalogue, now, path }: { readonly catalogue: Catalogue; readonly now: Date; readonly path: string },
): PreparedEvent | Refused {
  const at = (field: string) => (path === '' ? field : `${path}.${field}`);
  const { type } = event;
  if (isEventType(type) || type === TEST_EVENT_TYPE)
    return refused('ReservedEventType', at('type'), 'is a type that Postrider itself emits');
  const known = catalogue.types.get(type);
  if (known === undefined) return refused('UnknownEventType', at('type'), UNKNOWN);
  const occurredAt = event.occurredAt === undefined ? now : new Date(event.occurredAt);
  const checked = known.compiled().accept(event.data);
  const mistakes = [
    ...timeMistakes(occurredAt, now).map((message) => ({ path: at('occurredAt'), message })),
    ...('mistakes' in checked ? checked.mistakes : []).map((mistake) => ({
      path: below(at('data'), mistake.path),
      message: mistake.message,
    })),
  ];
  if (mistakes.length > 0 || 'mistakes' in checked) return { tag: 'InvalidRequest', mistakes };
  const { fields } = checked;
  if (Buffer.byteLength(JSON.stringify(fields)) > MAX_STORED_BYTES)
    return refused('InvalidRequest', at('data'), TOO_LARGE);
  return { type, occurredAt, fields, dropped: droppedFields(event.data, fields, ['data']) };
}

function refused(tag: Refused['tag'], path: string, message: string): Refused {
  return { tag, mistakes: [{ path, message }] };
}

function timeMistakes(occurredAt: Date, now: Date): readonly string[] {
  const age = now.getTime() - occurredAt.getTime();
  if (age < -CLOCK_ALLOWANCE_MS) return ['must not be in the future'];
  return age > OLDEST_MS ? ['must not be older than 7 days'] : [];
}

function below(path: string, rest: string): string {
  if (rest === '') return path;
  return rest.startsWith('[') ? `${path}${rest}` : `${path}.${rest}`;
}
