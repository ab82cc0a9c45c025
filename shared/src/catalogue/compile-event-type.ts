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

/** Beyond this cost only the first mistake is reported: a search for all of them would take too long. */
const MAX_COST_EXPLAINED = 5_000;
/** A value costs 1, and 1 more for each time that its path has this many characters: an error has the whole path. */
const CHARACTERS_OF_COST = 1_000;

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
    if (costOf(value, MAX_COST_EXPLAINED) > MAX_COST_EXPLAINED) return mistakesOf(first.errors ?? []);
    all ??= createCompiler('all')(schema);
    all(value);
    return mistakesOf(all.errors ?? [], { max: MAX_MISTAKES });
  };
}

/** The cost of explaining the mistakes in a value; counting stops beyond `enough`. */
function costOf(value: unknown, enough: number, pathLength = 0): number {
  let cost = 1 + Math.floor(pathLength / CHARACTERS_OF_COST);
  for (const [name, part] of partsOf(value)) {
    if (cost > enough) return cost;
    cost += costOf(part, enough - cost, pathLength + name.length);
  }
  return cost;
}

function partsOf(value: unknown): readonly (readonly [string, unknown])[] {
  return Array.isArray(value) || isRecord(value) ? Object.entries(value) : [];
}
