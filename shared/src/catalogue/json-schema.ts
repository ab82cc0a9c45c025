import { isRecord } from '../domain/is-record.js';

/** A JSON Schema, 2020-12. */
export type JsonSchema = boolean | SchemaObject;
export interface SchemaObject {
  readonly [keyword: string]: unknown;
}

/** Keywords that hold schemas, by the form in which they hold them. */
const HOLDERS = {
  single: [
    'additionalProperties',
    'items',
    'contains',
    'not',
    'if',
    'then',
    'else',
    'propertyNames',
    'unevaluatedProperties',
    'unevaluatedItems',
  ],
  list: ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
  map: ['properties', 'patternProperties', 'dependentSchemas', '$defs'],
} as const;

/** Keywords whose schemas describe the same value as the schema that has them. */
export const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas'] as const;

/** Keywords that only describe. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$schema',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
]);

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'boolean' || isRecord(value);
}

/** The schemas under a keyword that holds several by name, such as `properties`; empty when there are none. */
export function schemasByName(schema: JsonSchema, keyword: string): Readonly<Record<string, JsonSchema>> {
  const held = isRecord(schema) ? schema[keyword] : undefined;
  return isRecord(held) ? (held as Record<string, JsonSchema>) : {};
}

/** The schemas under a keyword that holds a list, such as `allOf`; empty when there are none. */
export function schemasInList(schema: JsonSchema, keyword: string): readonly JsonSchema[] {
  const held = isRecord(schema) ? schema[keyword] : undefined;
  return Array.isArray(held) ? held : [];
}

/** The schema under a keyword that holds one, such as `items`. */
export function schemaUnder(schema: JsonSchema, keyword: string): JsonSchema | undefined {
  const held = isRecord(schema) ? schema[keyword] : undefined;
  return isSchema(held) ? held : undefined;
}

/** The schemas under keywords that hold one, of several schemas. */
export function schemasUnder(schemas: readonly JsonSchema[], keywords: readonly string[]): JsonSchema[] {
  return schemas
    .flatMap((schema) => keywords.map((keyword) => schemaUnder(schema, keyword)))
    .filter((schema) => schema !== undefined);
}

/** A place in a schema: keywords, names and indexes from the top. */
export type Path = readonly (string | number)[];

/** One schema that another one holds. */
export interface HeldSchema {
  readonly keyword: string;
  readonly path: Path;
  readonly schema: JsonSchema;
}

/** Every schema that a schema holds directly. */
export function heldSchemas(schema: JsonSchema): readonly HeldSchema[] {
  const single = HOLDERS.single.flatMap((keyword) => {
    const held = schemaUnder(schema, keyword);
    return held === undefined ? [] : [{ keyword, path: [keyword], schema: held }];
  });
  const listed = HOLDERS.list.flatMap((keyword) =>
    schemasInList(schema, keyword).map((held, index) => ({ keyword, path: [keyword, index], schema: held })),
  );
  const named = HOLDERS.map.flatMap((keyword) =>
    Object.entries(schemasByName(schema, keyword)).map(([name, held]) => ({
      keyword,
      path: [keyword, name],
      schema: held,
    })),
  );
  return [...single, ...listed, ...named].filter(({ schema: held }) => isSchema(held));
}

/** Replaces each schema that a schema holds directly. */
export function mapHeld(
  schema: SchemaObject,
  change: (held: HeldSchema) => JsonSchema | undefined,
): SchemaObject {
  const result: Record<string, unknown> = { ...schema };
  for (const held of heldSchemas(schema)) {
    const [keyword, place] = held.path;
    if (typeof keyword !== 'string') continue;
    const changed = change(held);
    if (place === undefined) {
      if (changed === undefined) delete result[keyword];
      else result[keyword] = changed;
    } else if (typeof place === 'number') {
      result[keyword] = (result[keyword] as readonly unknown[]).with(place, changed ?? true);
    } else {
      const others = result[keyword] as Readonly<Record<string, unknown>>;
      result[keyword] = Object.fromEntries(
        Object.entries(others).map(([name, other]) => [name, name === place ? (changed ?? true) : other]),
      );
    }
  }
  return result;
}
