import { isRecord } from '../domain/is-record.js';
import { type JsonSchema, mapHeld, type SchemaObject } from './json-schema.js';

/** Keywords whose schemas describe parts of a valid value. Those of `not` and `if` decide: they stay as they are. */
const DESCRIBING: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'dependentSchemas',
  'items',
  'prefixItems',
  'unevaluatedItems',
  'allOf',
  'anyOf',
  'oneOf',
  'then',
  'else',
]);

/** A schema that allows unknown fields everywhere, so that readers with an older version accept newer values. */
export function openSchema(schema: SchemaObject): SchemaObject {
  const { additionalProperties, unevaluatedProperties, ...rest } = schema;
  const kept = {
    ...rest,
    ...(additionalProperties !== undefined && additionalProperties !== false && { additionalProperties }),
    ...(unevaluatedProperties !== undefined && unevaluatedProperties !== false && { unevaluatedProperties }),
  };
  return mapHeld(kept, ({ keyword, schema: held }) => (DESCRIBING.has(keyword) ? open(held) : held));
}

function open(schema: JsonSchema): JsonSchema {
  return isRecord(schema) ? openSchema(schema) : schema;
}
