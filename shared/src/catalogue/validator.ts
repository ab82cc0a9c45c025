import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats, { type FormatName } from 'ajv-formats';
import type { JsonSchema, Path, SchemaObject } from './json-schema.js';
import { type Mistake, mistakesOf } from './mistake.js';

/** The formats that a schema may use; values are checked against them. */
export const FORMATS: readonly FormatName[] = [
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uri-reference',
  'uuid',
  'json-pointer',
];

/** Compiles a schema. @throws Error if it is no valid schema */
export type Compile = (schema: JsonSchema) => ValidateFunction;

/** @param errors whether a check stops at the first error, or finds all of them */
export function createCompiler(errors: 'first' | 'all'): Compile {
  const ajv = new Ajv2020({
    allErrors: errors === 'all',
    strict: false,
    // Schemas are checked once, when the catalogue is applied.
    validateSchema: false,
    meta: false,
    addUsedSchema: false,
    logger: false,
  });
  addFormats.default(ajv, [...FORMATS]);
  return (schema) => {
    if (typeof schema === 'boolean') return ajv.compile(schema);
    const { $schema: _, $id: __, ...rest } = schema;
    return ajv.compile(rest);
  };
}

/** Every violation of the rules of JSON Schema 2020-12 itself. */
export function mistakesInSchema({ $schema: _, ...schema }: SchemaObject, above: Path): readonly Mistake[] {
  const ajv = new Ajv2020({ allErrors: true, strict: false, logger: false });
  if (ajv.validateSchema(schema) === true) return [];
  return mistakesOf(ajv.errors ?? [], { above });
}
