import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One POST as a receiver saw it. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly id: string;
  readonly body: string;
  /** Milliseconds, this process's wall clock. */
  readonly at: number;
}

/** What a receiver answers: a status, after a while if need be. */
export interface Answer {
  readonly status: number;
  readonly delayMs?: number;
  readonly body?: string;
}

export interface TestReceiver {
  readonly url: string;
  readonly received: Received[];
  /** What is answered from now on. */
  answer(decide: (received: Received) => Answer): void;
  close(): Promise<void>;
}

/** A real HTTP server on loopback that remembers every POST and answers as it is told; 200 until then. */
export async function testReceiver(): Promise<TestReceiver> {
  const received: Received[] = [];
  let decide: (received: Received) => Answer = () => ({ status: 200 });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers, url = '/' } = request;
      const post = {
        path: url,
        headers,
        id: String(headers['webhook-id']),
        body: Buffer.concat(chunks).toString(),
        at: Date.now(),
      };
      received.push(post);
      const { status, delayMs = 0, body = '' } = decide(post);
      setTimeout(() => response.writeHead(status).end(body), delayMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer(next) {
      decide = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
