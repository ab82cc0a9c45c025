import type { Catalogue } from '@postrider/shared/catalogue/catalogue';
import type { StoredEventType } from '@postrider/shared/catalogue/event-type-definition';
import { EVENT_TYPES, type EventType } from '@postrider/shared/domain/event-type';
import { EVENT_EXAMPLES } from '@postrider/shared/events/event-examples';
import { ENVELOPE_FIELDS, EVENT_PAYLOADS } from '@postrider/shared/events/event-payloads';
import type { EventTypeInfo } from '../contract/event.js';

const listed = new WeakMap<Catalogue, readonly EventTypeInfo[]>();

/** All event types in ascending order of names. Computed once for each version of the catalogue. */
export function eventTypes(catalogue: Catalogue): readonly EventTypeInfo[] {
  const known = listed.get(catalogue);
  if (known !== undefined) return known;
  const custom = [...catalogue.types.values()].map(({ definition }) => showCustom(definition));
  const all = [...EVENT_TYPES.map(showBuiltIn), ...custom].sort((one, other) =>
    one.name < other.name ? -1 : 1,
  );
  listed.set(catalogue, all);
  return all;
}

function showCustom({ name, description, schema, examples, deprecated }: StoredEventType): EventTypeInfo {
  return {
    name,
    description,
    schema: { ...schema },
    example: { ...examples[0] },
    deprecated,
    builtIn: false,
  };
}

interface BuiltInSchema {
  readonly description?: string;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, object>>;
}

function showBuiltIn(name: EventType): EventTypeInfo {
  const payload: BuiltInSchema = EVENT_PAYLOADS[name];
  const { properties, required, description } = payload;
  const isOwn = (field: string) => !Object.hasOwn(ENVELOPE_FIELDS, field);
  const schema = {
    type: 'object',
    required: required.filter(isOwn),
    properties: Object.fromEntries(Object.entries(properties).filter(([field]) => isOwn(field))),
    additionalProperties: false,
  };
  return {
    name,
    description: String(description),
    schema,
    example: { ...EVENT_EXAMPLES[name] },
    deprecated: false,
    builtIn: true,
  };
}
