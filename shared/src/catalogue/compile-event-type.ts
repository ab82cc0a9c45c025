import type { ValidateFunction } from 'ajv/dist/2020.js';
import { MAX_MISTAKES } from '../domain/input-mistake.js';
import { isRecord } from '../domain/is-record.js';
import { ENVELOPE_FIELDS } from '../events/event-payloads.js';
import type { EventFields, StoredEventType } from './event-type-definition.js';
import type { SchemaObject } from './json-schema.js';
import { type Mistake, mistakesOf } from './mistake.js';
import { openSchema } from './open-schema.js';
import { createProjection } from './project.js';
import { resolveReferences } from './resolve-references.js';
import { createCompiler } from './validator.js';

/** The fields of an event that match its schema, or the mistakes in them, at most as many as a response has. */
export type FieldsChecked = { readonly fields: EventFields } | { readonly mistakes: readonly Mistake[] };

/** An event type, ready to check and project events. */
export interface CompiledEventType {
  /** Checks the fields of a new event and drops those that the schema does not name. */
  accept(fields: EventFields): FieldsChecked;
  /**
   * Drops the fields that the schema does not name, as a newer producer may send more, and checks the others. Returns the same
   * object if there is nothing to drop.
   */
  read(fields: EventFields): FieldsChecked;
}

/** Beyond this many values only the first mistake is reported: a search for all of them would take too long. */
const MAX_VALUES_EXPLAINED = 5_000;

/** @throws Error if the schema is not valid: a stored one is */
export function compileEventType({ schema }: Pick<StoredEventType, 'schema'>): CompiledEventType {
  const resolved = resolveReferences(schema);
  if ('mistakes' in resolved)
    throw new Error(resolved.mistakes.map(({ path, message }) => `${path} ${message}`).join('; '));
  const project = createProjection(resolved.schema);
  const strict = createCheck(resolved.schema);
  const open = createCheck(openSchema(resolved.schema));
  const read = (fields: EventFields): FieldsChecked => {
    const projected = project(fields) as EventFields;
    const mistakes = open(projected);
    return mistakes.length === 0 ? { fields: projected } : { mistakes };
  };
  return {
    accept(fields) {
      const mistakes = [...envelopeMistakes(fields), ...strict(fields)];
      return mistakes.length === 0 ? read(fields) : { mistakes };
    },
    read,
  };
}

function envelopeMistakes(fields: EventFields): readonly Mistake[] {
  return Object.keys(ENVELOPE_FIELDS)
    .filter((name) => Object.hasOwn(fields, name))
    .map((path) => ({ path, message: 'is set by Postrider' }));
}

type Check = (value: unknown) => readonly Mistake[];

/** Valid values are checked without the cost of finding all errors. */
function createCheck(schema: SchemaObject): Check {
  const first = createCompiler('first')(schema);
  let all: ValidateFunction | null = null;
  return (value) => {
    if (first(value)) return [];
    if (countValues(value, MAX_VALUES_EXPLAINED) > MAX_VALUES_EXPLAINED)
      return mistakesOf(first.errors ?? []);
    all ??= createCompiler('all')(schema);
    all(value);
    return mistakesOf(all.errors ?? [], { max: MAX_MISTAKES });
  };
}

/** Counts the values within a value; counting stops beyond `enough`. */
function countValues(value: unknown, enough: number): number {
  const parts = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
  let count = 1;
  for (const part of parts) {
    if (count > enough) return count;
    count += countValues(part, enough - count);
  }
  return count;
}
