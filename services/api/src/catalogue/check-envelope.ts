import {
  ANNOTATIONS,
  heldSchemas,
  IN_PLACE,
  type JsonSchema,
  type Path,
  type SchemaObject,
  schemasByName,
} from '@postrider/shared/catalogue/json-schema';
import { followReference } from '@postrider/shared/catalogue/resolve-references';
import { isRecord } from '@postrider/shared/domain/is-record';
import { ENVELOPE_FIELDS } from '@postrider/shared/events/event-payloads';

/** Keywords whose schemas see the same value as the schema that has them. */
const SAME_VALUE: ReadonlySet<string> = new Set([...IN_PLACE, 'not']);

/** Keywords whose schemas only decide. The registered schema keeps them as they are; others it opens to unknown fields. */
const DECIDING: ReadonlySet<string> = new Set(['not', 'if']);

/** Keywords that apply to all fields of a value, and so to those that Postrider adds. */
const OF_ALL_FIELDS = [
  'patternProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'enum',
  'const',
] as const;

/** Keywords that apply to the fields that their own schema does not name. The top of the registered schema names the added ones. */
const OF_OTHER_FIELDS = ['additionalProperties', 'unevaluatedProperties'] as const;

/** Where a schema is that describes the whole event. */
interface Place {
  readonly path: Path;
  /** Whether it is in a schema that decides. */
  readonly isDeciding: boolean;
}

/**
 * Reports what would apply to the fields that Postrider adds to every event, in each schema that describes the whole event: the
 * registered schema would refuse events that were accepted without these fields.
 */
export function checkEnvelope(root: SchemaObject, report: (path: Path, message: string) => void): void {
  const reported = new Set<string>();
  const reportOnce = (path: Path, message: string) => {
    const key = JSON.stringify(path);
    if (!reported.has(key)) report(path, message);
    reported.add(key);
  };
  const seen = new Set<string>();
  const visit = (schema: JsonSchema, place: Place) => {
    const key = JSON.stringify(place);
    if (!isRecord(schema) || seen.has(key)) return;
    seen.add(key);
    for (const { path, message } of mistakesAt(schema, place)) reportOnce([...place.path, ...path], message);
    for (const { keyword, path, schema: held } of heldSchemas(schema))
      if (SAME_VALUE.has(keyword))
        visit(held, {
          path: [...place.path, ...path],
          isDeciding: place.isDeciding || DECIDING.has(keyword),
        });
    const referred = followReference(root, schema.$ref);
    if (referred !== undefined) visit(referred.schema, { ...place, path: referred.path });
  };
  visit(root, { path: [], isDeciding: false });
}

interface MistakeAt {
  readonly path: Path;
  readonly message: string;
}

function mistakesAt(schema: SchemaObject, place: Place): readonly MistakeAt[] {
  const ofAll = OF_ALL_FIELDS.filter((keyword) => schema[keyword] !== undefined);
  const ofOthers = OF_OTHER_FIELDS.filter((keyword) => refusesFields(schema[keyword], place));
  return [
    ...ofAll.map((keyword) => ({ path: [keyword], message: `${APPLIES}: use it only inside a field` })),
    ...ofOthers.map((keyword) => ({
      path: [keyword],
      message: `${APPLIES}: use it only at the top or inside a field`,
    })),
    ...envelopeFieldsIn(schema).map((path) => ({
      path,
      message: 'is a field that every event has: leave it out',
    })),
  ];
}

const APPLIES = 'would apply to the fields that every event has';

/** Whether the schema of the fields that a schema does not name may refuse those that Postrider adds. */
function refusesFields(held: unknown, { path, isDeciding }: Place): boolean {
  if (path.length === 0) return false;
  if (held === false) return isDeciding;
  return isRecord(held) && !Object.keys(held).every((keyword) => ANNOTATIONS.has(keyword));
}

/** The places where a schema names a field that Postrider adds. */
function envelopeFieldsIn(schema: SchemaObject): readonly Path[] {
  const dependent = isRecord(schema.dependentRequired) ? schema.dependentRequired : {};
  return Object.keys(ENVELOPE_FIELDS).flatMap((name): readonly Path[] => [
    ...['properties', 'dependentSchemas']
      .filter((keyword) => Object.hasOwn(schemasByName(schema, keyword), name))
      .map((keyword) => [keyword, name]),
    ...(isIn(schema.required, name) ? [['required']] : []),
    ...Object.entries(dependent)
      .filter(([field, required]) => field === name || isIn(required, name))
      .map(([field]) => ['dependentRequired', field]),
  ]);
}

function isIn(names: unknown, name: string): boolean {
  return Array.isArray(names) && names.includes(name);
}
