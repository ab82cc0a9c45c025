import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Request, Response } from 'express';
import type { InsufficientScope } from '../domain/insufficient-scope.js';
import { paramsMistake } from './params-mistake.js';
import { createProtocolServer, type ProtocolServerParts } from './protocol-server.js';
import { requireFewValues } from './require-few-values.js';
import { splitArguments } from './split-arguments.js';

/** The transport requires both, also of clients that accept anything. Responses are JSON. */
const BOTH_TYPES = { accept: 'application/json, text/event-stream' };

interface Message extends Omit<ProtocolServerParts, 'args' | 'onLackOfScope'> {
  readonly request: Request;
  readonly response: Response;
  readonly body: unknown;
}

/**
 * The answer of the protocol to one message of an admitted request.
 *
 * @throws Refusal `InvalidRequest` for a message that is too large for the protocol's library, `InsufficientScope` if
 *   another access token permits what it asks for
 */
export async function answerMessage({
  request,
  response,
  body,
  ...parts
}: Message): Promise<globalThis.Response> {
  const { message, args } = splitArguments(body);
  requireFewValues(message);
  const lacks: InsufficientScope[] = [];
  const server = createProtocolServer({ ...parts, args, onLackOfScope: (refusal) => lacks.push(refusal) });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  response.once('close', () => void server.close());
  await server.connect(transport);
  refuseParams(transport);
  const answer = await transport.handleRequest(webRequest(request), { parsedBody: message });
  const [lack] = lacks;
  if (lack !== undefined) throw lack;
  return answer;
}

/** Responds to requests with invalid parameters; the server handles the others. */
function refuseParams(transport: WebStandardStreamableHTTPServerTransport): void {
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    const mistake = paramsMistake(message);
    if (mistake === null) onmessage?.(message, extra);
    else void transport.send(mistake);
  };
}

/** The transport reads only the head. */
function webRequest(request: Request): globalThis.Request {
  const { headers } = request;
  const names = ['accept', 'content-type', 'mcp-protocol-version'] as const;
  const present = names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : []));
  return new globalThis.Request('http://mcp.invalid/mcp', {
    method: 'POST',
    headers: { ...Object.fromEntries(present), ...(request.accepts('application/json') && BOTH_TYPES) },
  });
}
