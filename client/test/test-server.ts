import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as the server saw it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ScriptedAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestServer {
  readonly url: string;
  readonly seen: Seen[];
  /** What is answered from now on, in this order; a dropped connection where it says so. The last one stays. */
  script(...answers: readonly (ScriptedAnswer | 'hang up')[]): void;
  close(): Promise<void>;
}

/** A real HTTP server on loopback that answers as it is told. */
export async function testServer(): Promise<TestServer> {
  const seen: Seen[] = [];
  let answers: (ScriptedAnswer | 'hang up')[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer === undefined || answer === 'hang up') return response.destroy();
      const type = answer.status < 400 ? 'application/json' : 'application/problem+json';
      response.writeHead(answer.status, { 'content-type': type, ...answer.headers });
      return response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    script(...next) {
      answers = [...next];
      seen.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A refusal as the server words it. */
export function refusal(status: number, tag: string, more: object = {}): ScriptedAnswer {
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
