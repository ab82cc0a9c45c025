import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { permissionsOf } from '@postrider/shared/domain/permission';
import { Refusal } from '@postrider/shared/domain/refusal';
import type { Request, RequestHandler, Response } from 'express';
import { authenticated, type Identified } from '../http/authenticate.js';
import { type AskedRoute, exchangeOf } from '../http/exchange.js';
import { limitRate } from '../http/limit-rate.js';
import { readJson } from '../http/read-json.js';
import type { Call } from '../operations/call.js';
import type { RateLimits } from '../rate-limits/rate-limits.js';
import { partArguments } from './part-arguments.js';
import { toolServer } from './tool-server.js';
import type { Tools } from './tools.js';

interface McpParts {
  readonly tools: Tools;
  /** Of the published document. */
  readonly version: string;
  readonly identify: (authorization: string | undefined, slug: null) => Promise<Identified>;
  readonly limits: RateLimits;
  readonly explain: (error: unknown, traceId: string) => Refusal;
}

/** What the transport is before it is known which tool is asked for. */
const MCP_ROUTE = { template: '/mcp', operationId: null, bucket: 'mcp' } as const satisfies AskedRoute;

/**
 * The Model Context Protocol over Streamable HTTP, without sessions: each POST is one message of one token, and is
 * answered at once. The checks come in the order of the REST API; what refuses the request as a whole is a problem
 * with its status, what refuses a tool is the tool's answer.
 */
export function mcpRoute(parts: McpParts): RequestHandler {
  return async (request, response, next) => {
    if (request.path !== MCP_ROUTE.template) return next();
    if (request.method !== 'POST') {
      response.set('allow', 'POST');
      throw new Refusal('MethodNotAllowed', 'This route answers to POST.');
    }
    exchangeOf(response).route = MCP_ROUTE;
    const call = await admit(parts, request, response);
    const body = await readMessage(request);
    // Whoever was told that the answer took too long must not find it done later.
    if (response.writableEnded) return;
    const answer = await answerTo({ ...parts, call, request, response, body });
    if (response.headersSent) return;
    response.status(answer.status);
    for (const [name, value] of answer.headers) response.setHeader(name, value);
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
}

async function admit({ identify, limits }: McpParts, request: Request, response: Response): Promise<Call> {
  const exchange = exchangeOf(response);
  const identified = await identify(request.get('authorization'), null);
  await limitRate(limits, { request, response, bucket: MCP_ROUTE.bucket, token: identified.token });
  const { token, workspace } = authenticated(identified);
  exchange.caller = { workspaceId: workspace.id, actorId: token.id };
  return {
    workspace,
    actor: { type: 'api_token', id: token.id },
    permissions: permissionsOf(token.scopes),
    traceId: exchange.traceId,
    spanId: exchange.spanId,
    idempotency: null,
  };
}

/** @throws Refusal when it is no JSON, or many messages: what is counted and limited is requests */
async function readMessage(request: Request): Promise<unknown> {
  const body = await readJson(request);
  if (body !== null && !Array.isArray(body.value)) return body.value;
  const message = 'must be one JSON-RPC message';
  throw new Refusal('InvalidRequest', `The body ${message}.`, [{ path: 'body', message }]);
}

interface Answering extends McpParts {
  readonly call: Call;
  readonly request: Request;
  readonly response: Response;
  readonly body: unknown;
}

async function answerTo({ request, response, body, ...parts }: Answering): Promise<globalThis.Response> {
  const { message, given } = partArguments(body);
  const server = toolServer({
    ...parts,
    given,
    onCall: ({ operationId }) => {
      exchangeOf(response).route = { ...MCP_ROUTE, operationId };
    },
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  response.once('close', () => void server.close());
  await server.connect(transport);
  return transport.handleRequest(webRequest(request), { parsedBody: message });
}

/** The head is all that the transport looks at. */
function webRequest({ headers }: Request): globalThis.Request {
  const names = ['accept', 'content-type', 'mcp-protocol-version'] as const;
  const known = names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : []));
  return new globalThis.Request('http://mcp.invalid/mcp', {
    method: 'POST',
    headers: Object.fromEntries(known),
  });
}
