import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { isRecord } from '@postrider/shared/domain/is-record';
import { InsufficientScope } from '../domain/insufficient-scope.js';
import { Refusal } from '../domain/refusal.js';
import { refuseMistakes } from '../http/mistakes.js';
import { problemOf } from '../http/problem.js';
import { maxBodyBytesOf, requireSize } from '../http/read-json.js';
import { requireAccess } from '../http/require-access.js';
import type { Call } from '../operations/call.js';
import { withIdempotency } from './idempotent-call.js';
import { isListed } from './is-listed.js';
import { findPrompt, listPrompts, missingArguments, renderPrompt } from './prompts.js';
import type { Resources } from './resources.js';
import { withFiniteNumbers } from './tool-input.js';
import type { Tool, Tools } from './tools.js';
import { UNTRUSTED } from './untrusted.js';

export interface ProtocolServerParts {
  readonly tools: Tools;
  readonly resources: Resources;
  readonly version: string;
  readonly call: Call;
  /** The arguments of a tool or a prompt as received. */
  readonly args: unknown;
  /** The size of the message. */
  readonly bytes: number;
  /** Converts an error of a tool to a refusal for the caller. */
  readonly explain: (error: unknown, traceId: string) => Refusal;
  /** Called with the tool before it runs. */
  readonly onCall: (tool: Tool) => void;
  /** Called with a refusal that the request must be answered with, instead of the server's answer. */
  readonly onLackOfScope: (refusal: InsufficientScope) => void;
}

const INSTRUCTIONS =
  'Postrider sends the events of one workspace to webhook endpoints. The token determines the workspace and the ' +
  'available tools. Lists are paginated: pass nextCursor as cursor. explain_event returns what became of one event at every ' +
  'endpoint, and why; for one endpoint, call list_deliveries with eventId and endpointId. To find out without the id of an ' +
  'event why webhooks do not arrive, list the endpoints, then the deliveries of one, then the attempts of one delivery. ' +
  'Pass an idempotencyKey to tools that create something, and reuse it when you repeat a call. The resources postrider://schemas/… describe results. ' +
  UNTRUSTED;

/** The protocol's error code for a resource that does not exist. */
const RESOURCE_NOT_FOUND = -32_002;

/** The protocol server of one admitted request. It shows and does what the request's token permits. */
export function createProtocolServer(parts: ProtocolServerParts): Server {
  const server = new Server(
    { name: 'postrider', title: 'Postrider', version: parts.version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: INSTRUCTIONS },
  );
  serveTools(server, parts);
  serveResources(server, parts);
  servePrompts(server, parts);
  return server;
}

function serveTools(server: Server, parts: ProtocolServerParts): void {
  const { tools, call, onCall } = parts;
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...tools.values()].filter((tool) => isListed(tool, call)).map(({ listing }) => listing),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.get(params.name);
    if (tool === undefined) {
      throw new McpError(ErrorCode.InvalidParams, 'There is no such tool. tools/list returns all tools.');
    }
    onCall(tool);
    try {
      return resultOf(tool, await runTool(tool, parts));
    } catch (error) {
      return refusalResult(refusalOf(error, parts), call.traceId);
    }
  });
}

function serveResources(server: Server, parts: ProtocolServerParts): void {
  const { resources, call } = parts;
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: resources.list(call) }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: resources.templates(),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const content = await resources.read(uri, call).catch((error: unknown) => {
      throw new McpError(ErrorCode.InvalidRequest, refusalOf(error, parts).message);
    });
    if (content === null)
      throw new McpError(RESOURCE_NOT_FOUND, 'There is no such resource. resources/list returns all.', {
        uri,
      });
    return { contents: [{ uri, ...content }] };
  });
}

function servePrompts(server: Server, { args }: ProtocolServerParts): void {
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: listPrompts() }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params: { name } }) => {
    const prompt = findPrompt(name);
    if (prompt === null)
      throw new McpError(ErrorCode.InvalidParams, 'There is no such prompt. prompts/list returns all.');
    const given = isRecord(args) ? args : {};
    const missing = missingArguments(prompt, given);
    if (missing.length > 0)
      throw new McpError(ErrorCode.InvalidParams, `Missing or not a string: ${missing.join(', ')}.`);
    return renderPrompt(prompt, given as Record<string, string>);
  });
}

/** The remaining checks, in the order of the REST API: permission, then size and input. */
async function runTool(
  tool: Tool,
  { call, args, bytes }: Pick<ProtocolServerParts, 'call' | 'args' | 'bytes'>,
): Promise<unknown> {
  requireAccess(tool, call);
  requireSize(bytes, maxBodyBytesOf(tool.declaration));
  if (!isRecord(args)) throw argumentsNotObject();
  const keyed = withIdempotency(tool, call, withFiniteNumbers(args));
  refuseMistakes(tool.input.check(keyed.input));
  return tool.run(keyed.call, keyed.input);
}

/** Converts an error to a refusal for the caller, and reports one that the request must be answered with. */
function refusalOf(error: unknown, { explain, call, onLackOfScope }: ProtocolServerParts): Refusal {
  const refusal = explain(error, call.traceId);
  if (refusal instanceof InsufficientScope) onLackOfScope(refusal);
  return refusal;
}

function argumentsNotObject(): Refusal {
  return Refusal.invalid({ path: 'arguments', message: 'must be an object' });
}

/** The text is the response of the REST API, for clients that do not read structured content. */
function resultOf(tool: Tool, answer: unknown): CallToolResult {
  if (!tool.hasResult) return { content: [{ type: 'text', text: `${tool.success.response.description}.` }] };
  const text = JSON.stringify(answer);
  const warning = tool.showsOthersText ? [{ type: 'text' as const, text: UNTRUSTED }] : [];
  return { content: [{ type: 'text', text }, ...warning], structuredContent: JSON.parse(text) };
}

/** A problem is returned as text only: structured content is what the REST API answers with on success. */
function refusalResult(refusal: Refusal, traceId: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(problemOf(refusal, traceId)) }] };
}
