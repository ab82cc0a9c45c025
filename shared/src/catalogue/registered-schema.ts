import type { EventTypeName } from '../domain/event-type.js';
import { ENVELOPE_FIELDS } from '../events/event-payloads.js';
import { EVENTS_TOPIC } from '../ports/topics.js';
import { type JsonSchema, type SchemaObject, schemasByName } from './json-schema.js';
import { openSchema } from './open-schema.js';

export const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** The subject of an event type in the schema registry, which TopicRecordNameStrategy derives from topic and title. */
export function subjectOf(type: EventTypeName): string {
  return `${EVENTS_TOPIC}-${type}`;
}

/**
 * The schema of a whole payload, as readers get it: title and subject name the type, the fields that every event has are
 * included, and unknown fields are allowed everywhere.
 *
 * @param type its schema must have no references
 */
export function registeredSchema(type: {
  readonly name: EventTypeName;
  readonly description: string;
  readonly schema: SchemaObject;
}): SchemaObject {
  const { $schema: _, title: __, description: ___, required, ...rest } = openSchema(type.schema);
  const own = schemasByName(rest, 'properties') as Readonly<Record<string, JsonSchema>>;
  return {
    $schema: DIALECT,
    title: type.name,
    description: type.description,
    ...rest,
    properties: { ...ENVELOPE_FIELDS, ...own },
    required: [...Object.keys(ENVELOPE_FIELDS), ...((required as readonly string[] | undefined) ?? [])],
  };
}
