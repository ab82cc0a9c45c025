import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ScriptedResponse {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Closes the connection, sends nothing, or begins a response and then closes the connection or sends nothing more. */
type Failure = 'disconnect' | 'silence' | 'break' | 'stall';

export interface TestServer {
  readonly url: string;
  readonly requests: ReceivedRequest[];
  /** Sets the next responses, in order; the last one repeats. */
  script(...responses: readonly (ScriptedResponse | Failure)[]): void;
  close(): Promise<void>;
}

/** Starts an HTTP server on loopback that sends scripted responses. */
export async function startTestServer(): Promise<TestServer> {
  const requests: ReceivedRequest[] = [];
  let responses: (ScriptedResponse | Failure)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      requests.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      const next = responses.length > 1 ? responses.shift() : responses[0];
      if (next === 'silence') return undefined;
      if (next === undefined || next === 'disconnect') return response.destroy();
      if (next === 'break' || next === 'stall') {
        const after = next === 'break' ? () => response.destroy() : () => {};
        return response.writeHead(200, { 'content-type': 'application/json' }).write('{"items": [', after);
      }
      const type = next.status < 400 ? 'application/json' : 'application/problem+json';
      response.writeHead(next.status, { 'content-type': type, ...next.headers });
      return response.end(next.body === undefined ? undefined : JSON.stringify(next.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    script(...scripted) {
      responses = [...scripted];
      requests.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A refusal in the format of the server. */
export function refusal(status: number, tag: string, more: object = {}): ScriptedResponse {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const body = {
    type: `urn:postrider:problem:${tag}`,
    title: tag,
    status,
    detail: 'Because.',
    tag,
    traceId,
    ...more,
  };
  return { status, body };
}
