import type { InputError } from '@postrider/shared/domain/refusal';
import type { OpenApiDocument, Operation, Parameter, Schema } from '../document/openapi.js';
import { resolveSchema } from '../document/resolve-schema.js';
import { schemaCheck } from '../http/schema-check.js';
import { textMistakes } from '../http/text-mistakes.js';

/** What a tool takes: one flat object of what the operation's path, query and body have. */
export interface ToolInput {
  readonly schema: ObjectSchema;
  /** Every mistake of some arguments. */
  readonly check: (given: Arguments) => readonly InputError[];
  /** Arguments without mistakes, as the operation takes them. */
  readonly read: (given: Arguments) => Arguments;
}

export type Arguments = Readonly<Record<string, unknown>>;

export interface ObjectSchema extends Schema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

/** @throws Error when the operation takes what has no place in one flat object */
export function toolInput(document: OpenApiDocument, operation: Operation): ToolInput {
  const parameters = operation.parameters.filter(isOwn);
  const schema = flatten(operation.operationId, [
    ...parameters.map((parameter) => asObject(document, parameter)),
    ...bodiesOf(document, operation),
  ]);
  const check = schemaCheck(document, schema);
  const moments = parameters.filter(({ schema: { format } }) => format === 'date-time');
  const dates = new Set(moments.map(({ name }) => name));
  return {
    schema,
    check: (given) => [...check(withFiniteNumbers(given)), ...textMistakes(given)],
    read: (given) => {
      const entries = Object.entries(withFiniteNumbers(given));
      return Object.fromEntries(
        entries.map(([name, value]) => [name, dates.has(name) ? asDate(value) : value]),
      );
    },
  };
}

/** The workspace comes with the token, and headers with the transport: neither is an argument. */
function isOwn(parameter: Operation['parameters'][number]): parameter is Parameter {
  return 'in' in parameter && parameter.in !== 'header';
}

function asObject(
  document: OpenApiDocument,
  { name, required, description, schema }: Parameter,
): ObjectSchema {
  const about = description === undefined ? {} : { description };
  const property = { ...resolveSchema(document, schema), ...about };
  return { type: 'object', properties: { [name]: property }, required: required === true ? [name] : [] };
}

function bodiesOf(document: OpenApiDocument, { operationId, requestBody }: Operation): ObjectSchema[] {
  const body = requestBody?.content['application/json']?.schema;
  if (body === undefined) return [];
  const schema = resolveSchema(document, body);
  if (!isObjectSchema(schema))
    throw new Error(`the body of ${operationId} is no object: no tool can take it`);
  return [{ ...schema, required: schema.required ?? [] }];
}

interface BodySchema extends Schema {
  readonly type: 'object';
  readonly properties: ObjectSchema['properties'];
  readonly required?: readonly string[];
}

function isObjectSchema(schema: Schema): schema is BodySchema {
  return schema.type === 'object' && typeof schema.properties === 'object';
}

function flatten(operationId: string, parts: readonly ObjectSchema[]): ObjectSchema {
  const names = parts.flatMap(({ properties }) => Object.keys(properties));
  if (new Set(names).size < names.length) {
    throw new Error(`two inputs of ${operationId} have the same name: no tool can take both`);
  }
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required }) => required),
    additionalProperties: false,
  };
}

/** `1e999` is JSON, too: a number, however large, is a number. */
function withFiniteNumbers(given: Arguments): Arguments {
  const finite = (value: unknown) =>
    typeof value === 'number' ? Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE) : value;
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, finite(value)]));
}

/** The generated routes, too, hand on moments of the query as dates. */
function asDate(value: unknown): unknown {
  return typeof value === 'string' ? new Date(value) : value;
}
