import {
  type JsonSchema,
  type Path,
  type SchemaObject,
  schemasByName,
  schemaUnder,
} from '@postrider/shared/catalogue/json-schema';
import { resolveReferences } from '@postrider/shared/catalogue/resolve-references';
import { createCompiler } from '@postrider/shared/catalogue/validator';
import { isRecord } from '@postrider/shared/domain/is-record';
import { ENVELOPE_FIELDS } from '@postrider/shared/events/event-payloads';
import { narrowings } from './compare-schemas.js';

/** Where a schema is that describes the whole event. */
export interface Place {
  readonly path: Path;
  /** Whether it is in a schema that decides. */
  readonly isDeciding: boolean;
}

/** A part of a schema that could not hold for the fields that every event has, with its path below that schema. */
interface Conflict {
  readonly path: Path;
  readonly message: string;
}

/** Keywords whose result depends on the number of fields or on all of their values. */
const OF_WHOLE_VALUE = ['minProperties', 'maxProperties', 'enum', 'const'] as const;

/** Keywords that apply to the fields that their own schema does not name. The top of the registered schema names the added ones. */
const OF_OTHER_FIELDS = ['additionalProperties', 'unevaluatedProperties'] as const;

/** What the values of the added fields have in common with their schemas. They are never empty. */
const ADDED = Object.entries(ENVELOPE_FIELDS).map(([name, field]) => ({
  name,
  schema: { ...field, minLength: 1 },
}));

/** Finds the conflicts in one schema of the whole event. @param root the schema into which references point */
export function createConflictsAt(root: SchemaObject) {
  const admits = createAdmits(root);
  return (schema: SchemaObject, place: Place): readonly Conflict[] => [
    ...OF_WHOLE_VALUE.filter((keyword) => schema[keyword] !== undefined).map((keyword) => ({
      path: [keyword],
      message: 'would apply to the fields that every event has: use it only inside a field',
    })),
    ...ofNames(schema, admits),
    ...ofPatterns(schema, admits),
    ...OF_OTHER_FIELDS.flatMap((keyword) => ofOthers(keyword, schema, place, admits)),
    ...namedFields(schema),
  ];
}

/** What a schema is known to accept. A schema with invalid references accepts everything here: they are reported elsewhere. */
interface Admits {
  /** Whether a schema provably accepts every value of an added field. */
  value(held: JsonSchema, field: (typeof ADDED)[number]): boolean;
  name(held: JsonSchema, field: (typeof ADDED)[number]): boolean;
}

function createAdmits(root: SchemaObject): Admits {
  const ofResolved = (held: JsonSchema, isAdmitted: (schema: SchemaObject) => boolean): boolean => {
    const resolved = resolveReferences(root, { allOf: [held] });
    return 'mistakes' in resolved || isAdmitted(resolved.schema);
  };
  return {
    value: (held, field) => ofResolved(held, (schema) => narrowings(field.schema, schema).length === 0),
    name: (held, field) => ofResolved(held, (schema) => accepts(schema, field.name)),
  };
}

/** A schema that cannot be compiled accepts everything: it is reported elsewhere. */
function accepts(schema: SchemaObject, value: unknown): boolean {
  try {
    return createCompiler('first')(schema)(value);
  } catch {
    return true;
  }
}

function ofNames(schema: SchemaObject, admits: Admits): readonly Conflict[] {
  const held = schemaUnder(schema, 'propertyNames');
  const refused = held === undefined ? [] : ADDED.filter((field) => !admits.name(held, field));
  return conflict(['propertyNames'], refused, 'allow these names');
}

function ofPatterns(schema: SchemaObject, admits: Admits): readonly Conflict[] {
  return Object.entries(schemasByName(schema, 'patternProperties')).flatMap(([pattern, held]) => {
    const refused = ADDED.filter(({ name }) => matches(pattern, name)).filter(
      (field) => !admits.value(held, field),
    );
    return conflict(['patternProperties', pattern], refused, 'exclude their names from the pattern');
  });
}

function ofOthers(
  keyword: (typeof OF_OTHER_FIELDS)[number],
  schema: SchemaObject,
  { path, isDeciding }: Place,
  admits: Admits,
): readonly Conflict[] {
  const held = schemaUnder(schema, keyword);
  // The registered schema lacks a false that does not decide.
  if (path.length === 0 || held === undefined || (held === false && !isDeciding)) return [];
  const patterns = Object.keys(schemasByName(schema, 'patternProperties'));
  const refused = ADDED.filter(({ name }) => !patterns.some((pattern) => matches(pattern, name))).filter(
    (field) => !admits.value(held, field),
  );
  return conflict([keyword], refused, 'allow any text, or use it only at the top or inside a field');
}

function conflict(path: Path, refused: typeof ADDED, advice: string): readonly Conflict[] {
  const names = refused.map(({ name }) => name).join(', ');
  return refused.length === 0
    ? []
    : [{ path, message: `may refuse the fields that every event has (${names}): ${advice}` }];
}

/** An invalid pattern matches nothing: it is reported elsewhere. */
function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return false;
  }
}

/** The places where a schema names a field that Postrider adds. */
function namedFields(schema: SchemaObject): readonly Conflict[] {
  const dependent = isRecord(schema.dependentRequired) ? schema.dependentRequired : {};
  return ADDED.flatMap(({ name }): readonly Path[] => [
    ...['properties', 'dependentSchemas']
      .filter((keyword) => Object.hasOwn(schemasByName(schema, keyword), name))
      .map((keyword) => [keyword, name]),
    ...(isIn(schema.required, name) ? [['required']] : []),
    ...Object.entries(dependent)
      .filter(([field, required]) => field === name || isIn(required, name))
      .map(([field]) => ['dependentRequired', field]),
  ]).map((path) => ({ path, message: 'is a field that every event has: leave it out' }));
}

function isIn(names: unknown, name: string): boolean {
  return Array.isArray(names) && names.includes(name);
}
