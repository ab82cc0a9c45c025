import type { Permission } from '@postrider/shared/domain/permission';
import {
  METHODS,
  type Method,
  type OpenApiDocument,
  type Operation,
  type ResponseObject,
} from '../document/openapi.js';
import { resolveSchema } from '../document/resolve-schema.js';
import { permissionOf } from '../http/route-table.js';
import type { Call } from '../operations/call.js';
import type { Operations } from '../operations/operations.js';
import { type Arguments, type ObjectSchema, type ToolInput, toolInput } from './tool-input.js';

/** One operation as an assistant reaches it; every fact is read back from the published document. */
export interface Tool {
  readonly name: string;
  readonly operationId: string;
  readonly permission: Permission;
  readonly input: ToolInput;
  /** What tells clients about it. */
  readonly description: ToolDescription;
  /** What it says where the operation answers without a body. */
  readonly done: string;
  readonly run: (call: Call, input: Arguments) => Promise<unknown>;
}

interface ToolDescription {
  readonly title: string;
  readonly description: string;
  /** Null where the operation answers without a body. */
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
 * @throws Error when the document promises a tool that cannot be: better no service than a broken promise
 */
export function toolsOf(document: OpenApiDocument, operations: Operations): Tools {
  const tools = Object.values(document.paths).flatMap((item) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (operation?.['x-mcp-tool'] === undefined) return [];
      return [toolOf(document, { name: operation['x-mcp-tool'], method, operation, operations })];
    }),
  );
  return new Map(tools.map((tool) => [tool.name, tool]));
}

interface Source {
  readonly name: string;
  readonly method: Method;
  readonly operation: Operation;
  readonly operations: Operations;
}

function toolOf(document: OpenApiDocument, { name, method, operation, operations }: Source): Tool {
  const { operationId } = operation;
  const run = (operations as unknown as Readonly<Record<string, Tool['run']>>)[operationId];
  if (run === undefined) throw new Error(`the document has an operation ${operationId} that there is not`);
  const success = successOf(operation);
  return {
    name,
    operationId,
    permission: permissionOf(operation),
    input: toolInput(document, operation),
    description: {
      title: operation.summary ?? name,
      description: operation.description ?? operation.summary ?? name,
      outputSchema: outputSchema(document, success),
      annotations: annotationsOf(method),
    },
    done: `${success.description}.`,
    run,
  };
}

function successOf({ operationId, responses }: Operation): ResponseObject {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  if (success === undefined || '$ref' in success) throw new Error(`${operationId} declares no success`);
  return success;
}

function outputSchema(document: OpenApiDocument, { content }: ResponseObject): ObjectSchema | null {
  const schema = content?.['application/json']?.schema;
  return schema === undefined ? null : (resolveSchema(document, schema) as ObjectSchema);
}

/** Only a POST does more when it is sent twice; only a DELETE takes away what cannot be brought back. */
function annotationsOf(method: Method): ToolDescription['annotations'] {
  return {
    readOnlyHint: method === 'get',
    destructiveHint: method === 'delete',
    idempotentHint: method !== 'post',
  };
}
