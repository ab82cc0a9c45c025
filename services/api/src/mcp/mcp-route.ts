import type { Permission } from '@postrider/shared/domain/permission';
import type { Request, RequestHandler, Response } from 'express';
import { Refusal } from '../domain/refusal.js';
import { type AdmissionParts, admitBearer } from '../http/admit-bearer.js';
import type { ByteBudget } from '../http/byte-budget.js';
import {
  type BodyRequest,
  type JsonBody,
  MAX_BODY_BYTES,
  maxBodyBytesOf,
  readJson,
} from '../http/read-json.js';
import { contextOf, type RequestedRoute } from '../http/request-context.js';
import { sendAnswer } from '../http/send-answer.js';
import type { Resources } from './resources.js';
import type { Tool, Tools } from './tools.js';

interface McpParts extends AdmissionParts {
  readonly tools: Tools;
  readonly resources: Resources;
  readonly bodies: ByteBudget;
  readonly answers: ByteBudget;
  /** The version of the published document. */
  readonly version: string;
  readonly explain: (error: unknown, traceId: string) => Refusal;
  /** The origins of web pages that may call this route. */
  readonly allowedOrigins: readonly string[];
  /** The `WWW-Authenticate` of a refusal; null for the usual one, or none. */
  readonly challenge: Challenge;
}

export type Challenge = (refusal: Refusal, request: { readonly isTokenSent: boolean }) => string | null;

export const MCP_PATH = '/mcp';

/** The route of a message whose tool is not known yet. */
const MCP_ROUTE = { template: MCP_PATH, operationId: null, bucket: 'mcp' } as const satisfies RequestedRoute;

/**
 * The Model Context Protocol over Streamable HTTP, without sessions: each POST is one message, authorised by its own
 * token, with an immediate response. The checks have the order of the REST API. A refusal of the request is a problem with
 * its HTTP status; a refusal of a tool is the tool's result. The exception is a lack of scopes: the protocol requires a
 * status for it, so that the client asks for another access token.
 */
export function mcpRoute(parts: McpParts): RequestHandler {
  return async (request, response, next) => {
    if (request.path !== MCP_ROUTE.template) return next();
    if (request.method !== 'POST') {
      response.set('allow', 'POST');
      throw new Refusal('MethodNotAllowed', 'This route supports POST.');
    }
    contextOf(response).route = MCP_ROUTE;
    try {
      await serve(parts, request, response);
    } catch (error) {
      const isTokenSent = request.get('authorization') !== undefined;
      const challenge = error instanceof Refusal ? parts.challenge(error, { isTokenSent }) : null;
      if (challenge !== null && !response.headersSent) response.set('www-authenticate', challenge);
      throw error;
    }
  };
}

async function serve(parts: McpParts, request: Request, response: Response): Promise<void> {
  const caller = await admitBearer(parts, { request, response, bucket: MCP_ROUTE.bucket, slug: null });
  refuseForeignOrigin(request, parts.allowedOrigins);
  const from = { request, response, bodies: parts.bodies };
  const { value: body, bytes } = await readMessage(from, maxBytesFor(parts.tools, caller.permissions));
  // After the response to a time-out, the operation must not run.
  if (response.writableEnded) return;
  const call = { ...caller, idempotency: null };
  // The protocol's library takes 15 MB of memory, which an api without assistants saves.
  const { answerMessage } = await import('./answer-message.js');
  let isChange = false;
  const onCall = ({ operationId, method }: Tool) => {
    contextOf(response).route = { ...MCP_ROUTE, operationId };
    isChange = method !== 'get';
  };
  const answer = await answerMessage({
    ...parts,
    call,
    request,
    response,
    body,
    bytes: bytes.length,
    onCall,
  });
  if (response.headersSent) return;
  response.status(answer.status);
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  sendAnswer({ response, answers: parts.answers, isChange }, Buffer.from(await answer.arrayBuffer()));
}

/** Only browsers send an origin, and a page must not use what its user can reach. @throws Refusal `Forbidden` */
function refuseForeignOrigin({ headers: { origin } }: Request, allowed: readonly string[]): void {
  if (origin === undefined || allowed.includes(origin)) return;
  throw new Refusal('Forbidden', 'Web pages of this origin may not call this route.');
}

/** The tool is known only once the message is read, so the largest limit among the caller's tools applies. */
function maxBytesFor(tools: Tools, permissions: ReadonlySet<Permission>): number {
  const limits = [...tools.values()]
    .filter(({ permission }) => permissions.has(permission))
    .map(({ declaration }) => maxBodyBytesOf(declaration));
  return Math.max(MAX_BODY_BYTES, ...limits);
}

/** @throws Refusal when it is not JSON, or a batch: rate limits count requests */
async function readMessage(from: BodyRequest, maxBytes: number): Promise<JsonBody> {
  const body = await readJson(from, maxBytes);
  if (body !== null && !Array.isArray(body.value)) return body;
  const message = 'must be one JSON-RPC message';
  throw new Refusal('InvalidRequest', `The body ${message}.`, [{ path: 'body', message }]);
}
