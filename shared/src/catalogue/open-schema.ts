import { isRecord } from '../domain/is-record.js';
import { heldSchemas, type JsonSchema, mapHeld, type SchemaObject, schemasInList } from './json-schema.js';

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
  const opened = mapHeld(kept, ({ keyword, schema: held }) => (DESCRIBING.has(keyword) ? open(held) : held));
  return schemasInList(schema, 'oneOf').some(isClosed) ? withoutOneOf(opened) : opened;
}

function open(schema: JsonSchema): JsonSchema {
  return isRecord(schema) ? openSchema(schema) : schema;
}

/** Whether a schema refuses unknown fields somewhere, and is therefore changed when it is opened. */
function isClosed(schema: JsonSchema): boolean {
  if (!isRecord(schema)) return false;
  if (schema.additionalProperties === false || schema.unevaluatedProperties === false) return true;
  return heldSchemas(schema).some(({ keyword, schema: held }) => DESCRIBING.has(keyword) && isClosed(held));
}

/** Alternatives that only their unknown fields distinguish may accept the same value once they are open. */
function withoutOneOf({ oneOf, ...others }: SchemaObject): SchemaObject {
  if (others.anyOf === undefined) return { ...others, anyOf: oneOf };
  return { ...others, allOf: [...schemasInList(others, 'allOf'), { anyOf: oneOf }] };
}
