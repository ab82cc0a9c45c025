import type { EventTypeName } from '../domain/event-type.js';
import { once } from '../domain/once.js';
import { type CompiledEventType, compileEventType } from './compile-event-type.js';
import type { StoredEventType } from './event-type-definition.js';
import type { SchemaObject } from './json-schema.js';
import { registeredSchema } from './registered-schema.js';
import { resolveReferences } from './resolve-references.js';

/** A custom event type with everything that follows from its definition, computed when it is first needed. */
export interface CustomEventType {
  readonly definition: StoredEventType;
  readonly compiled: () => CompiledEventType;
  /** The schema of whole payloads, as the registry has it. */
  readonly registered: () => SchemaObject;
}

/** The custom event types of an installation at one time. */
export interface Catalogue {
  /** Changes whenever any type does. */
  readonly version: number;
  /** In ascending order of names. */
  readonly types: ReadonlyMap<EventTypeName, CustomEventType>;
}

export const EMPTY_CATALOGUE: Catalogue = { version: 0, types: new Map() };

/** @param before types with an unchanged schema keep what was computed for them */
export function createCatalogue(
  version: number,
  stored: readonly StoredEventType[],
  before: Catalogue = EMPTY_CATALOGUE,
): Catalogue {
  const sorted = [...stored].sort((one, other) => (one.name < other.name ? -1 : 1));
  const types = sorted.map((definition) => {
    const known = before.types.get(definition.name);
    const isSame = known !== undefined && JSON.stringify(known.definition) === JSON.stringify(definition);
    return [definition.name, isSame ? known : customEventType(definition)] as const;
  });
  return { version, types: new Map(types) };
}

export function customEventType(definition: StoredEventType): CustomEventType {
  return {
    definition,
    compiled: once(() => compileEventType(definition)),
    registered: once(() => registeredSchema({ ...definition, schema: withoutReferences(definition) })),
  };
}

function withoutReferences({ schema, name }: StoredEventType): SchemaObject {
  const resolved = resolveReferences(schema);
  if ('schema' in resolved) return resolved.schema;
  throw new Error(`the stored schema of ${name} is invalid: ${JSON.stringify(resolved.mistakes)}`);
}
