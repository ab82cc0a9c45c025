import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Request, Response } from 'express';
import { createProtocolServer, type ProtocolServerParts } from './protocol-server.js';
import { splitArguments } from './split-arguments.js';

interface Message extends Omit<ProtocolServerParts, 'args'> {
  readonly request: Request;
  readonly response: Response;
  readonly body: unknown;
}

/** The answer of the protocol to one message of an admitted request. */
export async function answerMessage({
  request,
  response,
  body,
  ...parts
}: Message): Promise<globalThis.Response> {
  const { message, args } = splitArguments(body);
  const server = createProtocolServer({ ...parts, args });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  response.once('close', () => void server.close());
  await server.connect(transport);
  return transport.handleRequest(webRequest(request), { parsedBody: message });
}

/** The transport reads only the head. */
function webRequest({ headers }: Request): globalThis.Request {
  const names = ['accept', 'content-type', 'mcp-protocol-version'] as const;
  const present = names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : []));
  return new globalThis.Request('http://mcp.invalid/mcp', {
    method: 'POST',
    headers: Object.fromEntries(present),
  });
}
