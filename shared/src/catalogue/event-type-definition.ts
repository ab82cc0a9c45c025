import type { EventTypeName } from '../domain/event-type.js';
import type { SchemaObject } from './json-schema.js';

/** One event type of the installation's own, as its catalogue file defines it. */
export interface EventTypeDefinition {
  readonly name: EventTypeName;
  readonly description: string;
  /** The schema of an event's own fields, as written: it may contain references into itself. */
  readonly schema: SchemaObject;
  /** Own fields of events, each valid; at least one. */
  readonly examples: readonly [EventFields, ...EventFields[]];
  readonly deprecated: boolean;
}

/** The fields of an event besides those that every event has. */
export type EventFields = Readonly<Record<string, unknown>>;

/** A stored event type. */
export interface StoredEventType extends EventTypeDefinition {
  /** Incremented by each change of the schema. */
  readonly version: number;
}
