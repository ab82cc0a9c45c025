import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool as ToolListing,
} from '@modelcontextprotocol/sdk/types.js';
import { Refusal } from '../domain/refusal.js';
import { refuseMistakes } from '../http/mistakes.js';
import { problemOf } from '../http/problem.js';
import { requireAccess } from '../http/require-access.js';
import type { Call } from '../operations/call.js';
import { portalAccess } from '../operations/portal-access.js';
import { isObject } from './split-arguments.js';
import { withFiniteNumbers } from './tool-input.js';
import type { Tool, Tools } from './tools.js';

interface ToolServerParts {
  readonly tools: Tools;
  readonly version: string;
  readonly call: Call;
  /** The arguments as received. */
  readonly args: unknown;
  /** Converts an error of a tool to a refusal for the caller. */
  readonly explain: (error: unknown, traceId: string) => Refusal;
  /** Called with the tool before it runs. */
  readonly onCall: (tool: Tool) => void;
}

const INSTRUCTIONS =
  'Postrider sends the events of one workspace to webhook endpoints. The token determines the workspace and the ' +
  'available tools. Lists are paginated: pass nextCursor as cursor. To find out why webhooks do not arrive, ' +
  'list the endpoints, then the deliveries of one, then the attempts of one delivery.';

/** The protocol server of one admitted request. It lists and calls the tools that the request's token permits. */
export function createToolServer({ tools, version, call, args, explain, onCall }: ToolServerParts): Server {
  const server = new Server(
    { name: 'postrider', title: 'Postrider', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...tools.values()].filter((tool) => isListed(tool, call)).map(listing),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.get(params.name);
    if (tool === undefined) {
      throw new McpError(ErrorCode.InvalidParams, 'There is no such tool. tools/list returns all tools.');
    }
    onCall(tool);
    try {
      return resultOf(tool, await runTool(tool, call, args));
    } catch (error) {
      return refusalResult(explain(error, call.traceId), call.traceId);
    }
  });
  return server;
}

function isListed({ operationId, permission }: Tool, { permissions, credential }: Call): boolean {
  return permissions.has(permission) && portalAccess(operationId, credential) === 'granted';
}

function listing({ name, input, description: { outputSchema, ...description } }: Tool): ToolListing {
  const output = outputSchema === null ? {} : { outputSchema: mutable(outputSchema) };
  return { name, ...description, inputSchema: mutable(input.schema), ...output };
}

/** The protocol's types have no read-only lists. */
function mutable(schema: Tool['input']['schema']): ToolListing['inputSchema'] {
  return { ...schema, properties: { ...schema.properties }, required: [...schema.required] };
}

/** The remaining checks, in the order of the REST API: permission, then input. */
async function runTool(tool: Tool, call: Call, args: unknown): Promise<unknown> {
  requireAccess(tool, call);
  if (!isObject(args)) throw argumentsNotObject();
  const input = withFiniteNumbers(args);
  refuseMistakes(tool.input.check(input));
  return tool.run(call, input);
}

function argumentsNotObject(): Refusal {
  const mistake = { path: 'arguments', message: 'must be an object' };
  return new Refusal('InvalidRequest', `${mistake.path} ${mistake.message}.`, [mistake]);
}

/** The text is the response of the REST API, for clients that do not read structured content. */
function resultOf(tool: Tool, answer: unknown): CallToolResult {
  if (tool.description.outputSchema === null)
    return { content: [{ type: 'text', text: `${tool.success.response.description}.` }] };
  const text = JSON.stringify(answer);
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) };
}

/** A problem is returned as text only: structured content must match the tool's output schema. */
function refusalResult(refusal: Refusal, traceId: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(problemOf(refusal, traceId)) }] };
}
