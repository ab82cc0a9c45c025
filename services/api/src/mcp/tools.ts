import type { Tool as ToolListing } from '@modelcontextprotocol/sdk/types.js';
import type { Permission } from '@postrider/shared/domain/permission';
import type { BoundOperation } from '../document/bound-operations.js';
import type { Method, OpenApiDocument } from '../document/openapi.js';
import { resolveSchema } from '../document/resolve-schema.js';
import { type ToolInput, toolInput } from './tool-input.js';
import { type Annotations, toolListing } from './tool-listing.js';

/** One operation as a tool for assistants; every fact comes from the published document. */
export interface Tool extends BoundOperation {
  readonly name: string;
  readonly permission: Permission;
  readonly input: ToolInput;
  /** Whether a call may carry a key, with which it takes effect once. */
  readonly takesKey: boolean;
  /** Whether the operation answers with content. */
  readonly hasResult: boolean;
  /** Whether results contain texts of others, such as payloads and the answers of receivers. */
  readonly showsOthersText: boolean;
  /** The tool as clients find it in the list of tools. */
  readonly listing: ToolListing;
}

/** Properties of results that producers, receivers, members and callers of the API wrote. */
const OTHERS_TEXTS = ['payload', 'responseBody', 'url', 'metadata', 'userAgent'] as const;

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
  if (authorization.kind !== 'permission') throw new Error(`the tool ${name} needs a permission`);
  const result = success.response.content?.['application/json']?.schema;
  const input = toolInput(document, operation);
  const takesKey = method === 'post';
  return {
    ...operation,
    name,
    permission: authorization.permission,
    input,
    takesKey,
    hasResult: result !== undefined,
    showsOthersText: result !== undefined && hasOthersText(resolveSchema(document, result)),
    listing: toolListing({
      name,
      title: declaration.summary ?? name,
      description: declaration.description ?? declaration.summary ?? name,
      annotations: annotationsOf(method, declaration['x-destructive'] ?? false),
      input: input.schema,
      takesKey,
    }),
  };
}

/** Whether a schema, or one within it, has a property with a text of others. */
function hasOthersText(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { properties = {} } = schema as { readonly properties?: object };
  if (OTHERS_TEXTS.some((name) => Object.hasOwn(properties, name))) return true;
  return Object.values(schema).some(hasOthersText);
}

/** Only a repeated POST has another effect. Every other change overwrites or ends something. */
function annotationsOf(method: Method, isDestructive: boolean): Annotations {
  return {
    readOnlyHint: method === 'get',
    destructiveHint: isDestructive || (method !== 'get' && method !== 'post'),
    idempotentHint: method !== 'post',
  };
}
