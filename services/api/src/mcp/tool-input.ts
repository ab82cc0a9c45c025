import type { BoundOperation, Input } from '../document/bound-operations.js';
import type { OpenApiDocument, Operation, Parameter, Schema } from '../document/openapi.js';
import { resolveSchema } from '../document/resolve-schema.js';
import type { Mistake } from '../domain/refusal.js';
import { inputCheck } from '../http/input-check.js';

/** The input of a tool: one flat object of the operation's path parameters, query and body. */
export interface ToolInput {
  readonly schema: ObjectSchema;
  /** Reports every mistake of the arguments. */
  readonly check: (args: Input) => readonly Mistake[];
}

export interface ObjectSchema extends Schema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

/** @throws Error when the input of the operation does not fit into one flat object */
export function toolInput(document: OpenApiDocument, operation: BoundOperation): ToolInput {
  const { operationId, declaration } = operation;
  const parameters = declaration.parameters.filter(isArgument);
  const schema = flatten(operationId, [
    ...parameters.map((parameter) => asObject(document, parameter)),
    ...bodiesOf(document, declaration),
  ]);
  return { schema, check: inputCheck(document, operation, schema) };
}

/** The workspace follows from the token, and headers belong to the transport: neither is an argument. */
function isArgument(parameter: Operation['parameters'][number]): parameter is Parameter {
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
    throw new Error(`the body of ${operationId} is not an object: it cannot be a tool`);
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
    throw new Error(`two inputs of ${operationId} have the same name: it cannot be a tool`);
  }
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required }) => required),
    additionalProperties: false,
  };
}

/** JSON numbers may exceed the range of a double, like `1e999`; they are clamped to it. */
export function withFiniteNumbers(args: Input): Input {
  const finite = (value: unknown) =>
    typeof value === 'number' ? Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE) : value;
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, finite(value)]));
}
