import type { Schema } from '../document/openapi.js';

/** Parts that assistants do not need: examples, formats of numbers, and a text of the generator. */
const LEFT_OUT = new Set(['examples', 'example']);
const NUMBER_FORMATS = new Set(['double', 'int32', 'int64', 'float']);
const GENERATED = 'Construct a type with a set of properties K of type T';

/** Removes the parts that take room in a list of tools and say nothing. The result accepts the same values. */
export function compactSchema(schema: Schema): Schema {
  return compact(schema) as Schema;
}

function compact(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(compact);
  if (typeof part !== 'object' || part === null) return part;
  const kept = Object.entries(part).filter(
    ([name, value]) =>
      !LEFT_OUT.has(name) &&
      !(name === 'format' && NUMBER_FORMATS.has(String(value))) &&
      value !== GENERATED &&
      !isUnlimited(name, value),
  );
  return Object.fromEntries(
    kept.map(([name, value]) => [name, name === 'properties' ? compactEach(value) : compact(value)]),
  );
}

/** The names in `properties` are those of the described object, which may have an `example`. */
function compactEach(properties: object): object {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, compact(schema)]));
}

/** Whether it is the empty `properties` or `additionalProperties` of an object that may have any. */
function isUnlimited(name: string, value: unknown): boolean {
  const isOfObject = name === 'properties' || name === 'additionalProperties';
  return isOfObject && typeof value === 'object' && Object.keys(value ?? {}).length === 0;
}
