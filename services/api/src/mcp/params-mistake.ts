import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  isJSONRPCRequest,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { MAX_MISTAKES } from '@postrider/shared/domain/input-mistake';

/** The requests whose parameters are read, by method. */
const SCHEMAS = new Map(
  [
    InitializeRequestSchema,
    CallToolRequestSchema,
    GetPromptRequestSchema,
    ReadResourceRequestSchema,
    ListToolsRequestSchema,
    ListPromptsRequestSchema,
    ListResourcesRequestSchema,
    ListResourceTemplatesRequestSchema,
  ].map((schema) => [schema.shape.method.value as string, schema] as const),
);

/**
 * The error response to a request whose parameters are missing or have another type; null if they are valid. The
 * protocol library would report them as an internal error.
 */
export function paramsMistake(message: JSONRPCMessage): JSONRPCErrorResponse | null {
  if (!isJSONRPCRequest(message)) return null;
  const issues = SCHEMAS.get(message.method)?.safeParse(message).error?.issues ?? [];
  if (issues.length === 0) return null;
  const mistakes = issues
    .slice(0, MAX_MISTAKES)
    .map(({ path, message: text }) => `${path.join('.')}: ${text}`);
  const error = { code: ErrorCode.InvalidParams, message: `${mistakes.join('; ')}.` };
  return { jsonrpc: '2.0', id: message.id, error };
}
