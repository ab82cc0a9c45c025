import {
  ANNOTATIONS,
  type JsonSchema,
  type Path,
  type SchemaObject,
  schemasByName,
} from '@postrider/shared/catalogue/json-schema';
import { formatPath, type Mistake } from '@postrider/shared/catalogue/mistake';
import { DIALECT } from '@postrider/shared/catalogue/registered-schema';
import { resolveReferences, visitSchemas } from '@postrider/shared/catalogue/resolve-references';
import { createCompiler, FORMATS, mistakesInSchema } from '@postrider/shared/catalogue/validator';
import { isRecord } from '@postrider/shared/domain/is-record';
import { checkEnvelope } from './check-envelope.js';
import { problemWithPattern } from './check-pattern.js';

const MAX_SCHEMA_CHARACTERS = 64 * 1024;
const MAX_ENUM = 1_000;
const MAX_PATTERNS = 50;
/** Objects and lists are compared in pairs, so their number must be small. */
const MAX_UNIQUE = 100;

/** The keywords of JSON Schema 2020-12, except annotations. */
const KEYWORDS: ReadonlySet<string> = new Set([
  ...['$ref', '$defs', 'type', 'enum', 'const', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...[
    'items',
    'prefixItems',
    'contains',
    'minContains',
    'maxContains',
    'minItems',
    'maxItems',
    'uniqueItems',
  ],
  ...['properties', 'patternProperties', 'additionalProperties', 'propertyNames', 'required'],
  ...['minProperties', 'maxProperties', 'dependentRequired', 'dependentSchemas'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'unevaluatedProperties', 'unevaluatedItems'],
]);

type Report = (path: Path, message: string) => void;

/** Every mistake in the schema of an event type, with paths below `schema`. */
export function mistakesOfSchema(schema: SchemaObject): readonly Mistake[] {
  const mistakes: Mistake[] = [];
  const report: Report = (path, message) => {
    mistakes.push({ path: formatPath(['schema', ...path]), message });
  };
  if (JSON.stringify(schema).length > MAX_SCHEMA_CHARACTERS) {
    report([], `is larger than ${MAX_SCHEMA_CHARACTERS} characters`);
    return mistakes;
  }
  checkTop(schema, report);
  checkEnvelope(schema, report);
  let patterns = 0;
  visitSchemas(schema, (part, path) => {
    patterns += checkPart(part, path, report);
  });
  if (patterns > MAX_PATTERNS) report([], `has more than ${MAX_PATTERNS} patterns`);
  const resolved = resolveReferences(schema);
  if ('mistakes' in resolved)
    for (const { path, message } of resolved.mistakes)
      mistakes.push({ path: path === '' ? 'schema' : `schema.${path}`, message });
  const all = [...mistakes, ...mistakesInSchema(schema, ['schema'])];
  return all.length > 0 || 'mistakes' in resolved ? all : uncompilable(resolved.schema);
}

function checkTop(schema: SchemaObject, report: Report): void {
  const { $schema } = schema;
  if ($schema !== undefined && $schema !== DIALECT) report(['$schema'], `must be ${DIALECT}`);
  if (schema.type !== 'object') report(['type'], 'must be object');
}

/** @returns the number of patterns in this part */
function checkPart(part: JsonSchema, path: Path, report: Report): number {
  if (!isRecord(part)) return 0;
  for (const keyword of Object.keys(part)) {
    if (keyword === '$schema' && path.length > 0) report([...path, keyword], 'belongs at the top only');
    if (!KEYWORDS.has(keyword) && !ANNOTATIONS.has(keyword) && !keyword.startsWith('x-'))
      report([...path, keyword], 'is not a keyword of JSON Schema 2020-12 that a catalogue may use');
  }
  checkValues(part, path, report);
  return checkPatterns(part, path, report);
}

function checkValues(part: SchemaObject, path: Path, report: Report): void {
  const { format, enum: values, uniqueItems, items, maxItems } = part;
  if (format !== undefined && !(FORMATS as readonly unknown[]).includes(format))
    report([...path, 'format'], `must be one of ${FORMATS.join(', ')}`);
  if (Array.isArray(values) && values.length > MAX_ENUM)
    report([...path, 'enum'], `has more than ${MAX_ENUM} values`);
  const isBounded = typeof maxItems === 'number' && maxItems <= MAX_UNIQUE;
  if (uniqueItems === true && !isBounded && !isScalar(items))
    report([...path, 'uniqueItems'], `needs items of a simple type, or maxItems of at most ${MAX_UNIQUE}`);
}

function isScalar(items: unknown): boolean {
  return isRecord(items) && ['string', 'number', 'integer', 'boolean', 'null'].includes(String(items.type));
}

function checkPatterns(part: SchemaObject, path: Path, report: Report): number {
  const places: (readonly [Path, string])[] = Object.keys(schemasByName(part, 'patternProperties')).map(
    (pattern) => [[...path, 'patternProperties', pattern], pattern] as const,
  );
  if (typeof part.pattern === 'string') places.push([[...path, 'pattern'], part.pattern]);
  for (const [place, pattern] of places.slice(0, MAX_PATTERNS)) {
    const problem = problemWithPattern(pattern);
    if (problem !== null) report(place, problem);
  }
  return places.length;
}

/** Mistakes that only compilation finds. */
function uncompilable(schema: SchemaObject): readonly Mistake[] {
  try {
    createCompiler('all')(schema);
    return [];
  } catch (error) {
    return [{ path: 'schema', message: error instanceof Error ? error.message : String(error) }];
  }
}
