import type { Permission } from '@postrider/shared/domain/permission';
import type { BoundOperation } from '../document/bound-operations.js';
import type { Method, OpenApiDocument, ResponseObject, Schema } from '../document/openapi.js';
import { resolveSchema } from '../document/resolve-schema.js';
import { type ObjectSchema, type ToolInput, toolInput } from './tool-input.js';

/** One operation as a tool for assistants; every fact comes from the published document. */
export interface Tool extends BoundOperation {
  readonly name: string;
  readonly permission: Permission;
  readonly input: ToolInput;
  /** Whether a call may carry a key, with which it takes effect once. */
  readonly takesKey: boolean;
  /** Whether results contain what receivers answered. */
  readonly showsAnswers: boolean;
  readonly description: ToolDescription;
}

/** The description of a tool for clients. */
interface ToolDescription {
  readonly title: string;
  readonly description: string;
  /** Null for an operation without a response body. */
  readonly outputSchema: ObjectSchema | null;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
  };
}

export type Tools = ReadonlyMap<string, Tool>;

/**
 * The tools by name: the operations of the document that have `x-mcp-tool`.
 *
 * @throws Error when the document declares a tool that cannot be served
 */
export function toolsOf(document: OpenApiDocument, operations: readonly BoundOperation[]): Tools {
  const tools = operations.flatMap((operation) => {
    const name = operation.declaration['x-mcp-tool'];
    return name === undefined ? [] : [toolOf(document, name, operation)];
  });
  return new Map(tools.map((tool) => [tool.name, tool]));
}

function toolOf(document: OpenApiDocument, name: string, operation: BoundOperation): Tool {
  const { authorization, method, declaration, success } = operation;
  const output = outputSchema(document, success.response);
  if (authorization.kind !== 'permission') throw new Error(`the tool ${name} needs a permission`);
  return {
    ...operation,
    name,
    permission: authorization.permission,
    input: toolInput(document, declaration),
    takesKey: method === 'post',
    showsAnswers: hasProperty(output, 'responseBody'),
    description: {
      title: declaration.summary ?? name,
      description: declaration.description ?? declaration.summary ?? name,
      outputSchema: output,
      annotations: annotationsOf(method, declaration['x-destructive'] ?? false),
    },
  };
}

function outputSchema(document: OpenApiDocument, { content }: ResponseObject): ObjectSchema | null {
  const schema = content?.['application/json']?.schema;
  return schema === undefined ? null : oneObject(resolveSchema(document, schema));
}

/** Whether a schema, or one within it, has a property of this name. */
function hasProperty(schema: unknown, name: string): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { properties } = schema as { readonly properties?: object };
  if (properties !== undefined && name in properties) return true;
  return Object.values(schema).some((part) => hasProperty(part, name));
}

/** The protocol takes one object only: alternatives become one with the properties of all, of which few are required. */
function oneObject(schema: Schema): ObjectSchema {
  const { anyOf } = schema as { readonly anyOf?: readonly ObjectSchema[] };
  if (anyOf === undefined) return schema as ObjectSchema;
  const [first, ...others] = anyOf.map((one) => one.required);
  const required = (first ?? []).filter((name) => others.every((names) => names.includes(name)));
  const properties = Object.assign({}, ...anyOf.map((one) => one.properties));
  return { type: 'object', properties, required };
}

/** Only a repeated POST has another effect. */
function annotationsOf(method: Method, isDestructive: boolean): ToolDescription['annotations'] {
  return {
    readOnlyHint: method === 'get',
    destructiveHint: method === 'delete' || isDestructive,
    idempotentHint: method !== 'post',
  };
}
