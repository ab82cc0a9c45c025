import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool as ToolListing,
} from '@modelcontextprotocol/sdk/types.js';
import { Refusal } from '@postrider/shared/domain/refusal';
import { refuseUnlessAllowed } from '../http/admission.js';
import { problemOf } from '../http/problem.js';
import { refuseMistakes } from '../http/refuse-mistakes.js';
import type { Call } from '../operations/call.js';
import { isObject } from './part-arguments.js';
import type { Tool, Tools } from './tools.js';

interface ToolServerParts {
  readonly tools: Tools;
  readonly version: string;
  readonly call: Call;
  /** The arguments, as they came. */
  readonly given: unknown;
  /** Turns whatever a tool throws into what its caller is told. */
  readonly explain: (error: unknown, traceId: string) => Refusal;
  /** Hears which tool is asked for, before it runs. */
  readonly onCall: (tool: Tool) => void;
}

const INSTRUCTIONS =
  'Postrider sends the events of one workspace to webhook endpoints. The token decides which workspace, and which ' +
  'tools there are. Lists come in pages: give nextCursor back as cursor. To find out why webhooks do not arrive, ' +
  'list the endpoints, then the deliveries of one, then the attempts of one delivery.';

/** The protocol's side of one admitted request: what it may see of the tools, and what it calls. */
export function toolServer({ tools, version, call, given, explain, onCall }: ToolServerParts): Server {
  const server = new Server(
    { name: 'postrider', title: 'Postrider', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...tools.values()].filter(({ permission }) => call.permissions.has(permission)).map(listing),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.get(params.name);
    if (tool === undefined) {
      throw new McpError(ErrorCode.InvalidParams, 'There is no such tool. tools/list names them all.');
    }
    onCall(tool);
    try {
      return shown(tool, await runTool(tool, call, given));
    } catch (error) {
      return refused(explain(error, call.traceId), call.traceId);
    }
  });
  return server;
}

function listing({ name, input, description: { outputSchema, ...told } }: Tool): ToolListing {
  const output = outputSchema === null ? {} : { outputSchema: mutable(outputSchema) };
  return { name, ...told, inputSchema: mutable(input.schema), ...output };
}

/** The protocol's types know no read-only lists. */
function mutable(schema: Tool['input']['schema']): ToolListing['inputSchema'] {
  return { ...schema, properties: { ...schema.properties }, required: [...schema.required] };
}

/** The checks that are left between a tool and its operation, in the order of the REST API: permission, then input. */
async function runTool(tool: Tool, call: Call, given: unknown): Promise<unknown> {
  refuseUnlessAllowed(tool.permission, call.permissions);
  if (!isObject(given)) throw noArguments();
  refuseMistakes(tool.input.check(given));
  return tool.run(call, tool.input.read(given));
}

function noArguments(): Refusal {
  const mistake = { path: 'arguments', message: 'must be an object' };
  return new Refusal('InvalidRequest', `${mistake.path} ${mistake.message}.`, [mistake]);
}

/** The text is what the REST API would have answered: for clients that read no structured content. */
function shown(tool: Tool, answer: unknown): CallToolResult {
  if (tool.description.outputSchema === null) return { content: [{ type: 'text', text: tool.done }] };
  const text = JSON.stringify(answer);
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) };
}

/** A problem stands in the text alone: structured content would have to be of the tool's output schema. */
function refused(refusal: Refusal, traceId: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(problemOf(refusal, traceId)) }] };
}
