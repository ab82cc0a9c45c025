import { isRecord } from '../domain/is-record.js';
import { type JsonSchema, schemasByName, schemasInList, schemasUnder } from './json-schema.js';

/** Returns a value without the fields that its schema does not name: the value itself if it has no other ones. */
export type Project = (value: unknown) => unknown;

/**
 * Compiles the projection of a schema without references. Fields are dropped wherever the schema lists `properties` and
 * does not allow additional ones expressly.
 */
export function createProjection(schema: JsonSchema): Project {
  return projectionOf([schema]);
}

const unchanged: Project = (value) => value;

/** The projection of a value that several schemas describe together. */
function projectionOf(schemas: readonly JsonSchema[]): Project {
  const parts = schemas.flatMap(inPlace);
  if (parts.length === 0) return unchanged;
  const ofObject = objectProjection(parts);
  const ofList = listProjection(parts);
  if (ofObject === unchanged && ofList === unchanged) return unchanged;
  return (value) => {
    if (Array.isArray(value)) return ofList(value);
    return isRecord(value) ? ofObject(value) : value;
  };
}

/** A schema and every schema in it that describes the same value. */
function inPlace(schema: JsonSchema): readonly JsonSchema[] {
  if (!isRecord(schema)) return [];
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => schemasInList(schema, keyword));
  const single = schemasUnder([schema], ['if', 'then', 'else']);
  const dependent = Object.values(schemasByName(schema, 'dependentSchemas'));
  return [schema, ...[...lists, ...single, ...dependent].flatMap(inPlace)];
}

function objectProjection(parts: readonly JsonSchema[]): Project {
  const named = new Map(
    [...Map.groupBy(entriesOf(parts, 'properties'), ([name]) => name)].map(
      ([name, entries]) => [name, projectionOf(entries.map(([, schema]) => schema))] as const,
    ),
  );
  const patterns = entriesOf(parts, 'patternProperties').map(
    ([pattern, schema]) => ({ pattern: new RegExp(pattern, 'u'), project: projectionOf([schema]) }) as const,
  );
  const listsProperties = parts.some((part) => isRecord(part) && part.properties !== undefined);
  const additional = additionalProjection(parts, listsProperties);
  if (named.size === 0 && patterns.length === 0 && additional === unchanged) return unchanged;
  const fieldProjection = (name: string): Project | null =>
    named.get(name) ?? patterns.find(({ pattern }) => pattern.test(name))?.project ?? additional;
  return (value) => {
    const fields = Object.entries(value as object);
    const kept = fields.flatMap(([name, field]) => {
      const project = fieldProjection(name);
      return project === null ? [] : [[name, project(field)] as const];
    });
    const isWhole =
      kept.length === fields.length && kept.every(([, field], index) => field === fields[index]?.[1]);
    // Defines own fields whatever their names are, unlike an assignment.
    return isWhole ? value : Object.fromEntries(kept);
  };
}

/** The projection of fields that are not named; null if they are dropped. */
function additionalProjection(parts: readonly JsonSchema[], listsProperties: boolean): Project | null {
  const allowed = schemasUnder(parts, ['additionalProperties', 'unevaluatedProperties']).filter(
    (schema) => schema !== false,
  );
  if (allowed.length > 0) return projectionOf(allowed);
  return listsProperties ? null : unchanged;
}

function listProjection(parts: readonly JsonSchema[]): Project {
  const first = parts.map((part) => schemasInList(part, 'prefixItems'));
  const rest = projectionOf(schemasUnder(parts, ['items', 'unevaluatedItems']));
  const longest = Math.max(0, ...first.map(({ length }) => length));
  const places = Array.from({ length: longest }, (_, index) =>
    projectionOf(first.map((schemas) => schemas[index]).filter((schema) => schema !== undefined)),
  );
  if (rest === unchanged && places.every((project) => project === unchanged)) return unchanged;
  return (value) => {
    const items = value as readonly unknown[];
    const kept = items.map((item, index) => (places[index] ?? rest)(item));
    return kept.every((item, index) => item === items[index]) ? value : kept;
  };
}

function entriesOf(
  parts: readonly JsonSchema[],
  keyword: string,
): readonly (readonly [string, JsonSchema])[] {
  return parts.flatMap((part) => Object.entries(schemasByName(part, keyword)));
}
