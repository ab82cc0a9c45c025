import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer, type TlsOptions } from 'node:tls';

/** One HTTP request. */
export interface Request {
  readonly method: string;
  readonly path: string;
  /** Request line and headers. */
  readonly head: string;
  readonly body: Buffer;
}

/** A response, or a violation of the protocol. */
export type Answer =
  | {
      readonly status: number;
      readonly body?: string;
      readonly contentType?: string;
      readonly delayMs?: number;
    }
  /** Bytes to send instead of a response. */
  | { readonly raw: string | Buffer; readonly end?: boolean; readonly delayMs?: number }
  /** Keeps the connection open and sends nothing. */
  | 'silence'
  /** Closes the connection with RST, not FIN. */
  | 'reset';

export interface Listening {
  readonly host?: string;
  readonly port?: number;
  readonly tls?: TlsOptions;
  /** Treats the first bytes of a connection as the head of a request. */
  readonly eager?: boolean;
}

export interface Receiver {
  readonly port: number;
  /** The origin. */
  readonly url: string;
  /** All connections so far, oldest first. */
  readonly connections: readonly Socket[];
  close(): Promise<void>;
}

/** A fan-out to thousands of endpoints opens as many connections at once. */
const BACKLOG = 2_048;

/** Listens on loopback and handles each request. It uses little CPU, so that it can run alongside measured processes. */
export async function startReceiver(
  onRequest: (request: Request, socket: Socket) => void,
  { host = '127.0.0.1', port = 0, tls, eager = false }: Listening = {},
): Promise<Receiver> {
  const connections: Socket[] = [];
  const accept = (socket: Socket) => {
    connections.push(socket);
    const read = eager ? readEagerly : createRequestReader();
    socket.setNoDelay(true);
    // The sender may disconnect at any time, even while an answer is delayed.
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      for (const request of read(bytes)) onRequest(request, socket);
    });
  };
  const server: Server = tls ? createSecureServer(tls, accept) : createServer(accept);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    url: `${tls ? 'https' : 'http'}://${host}:${bound}`,
    connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of connections) socket.destroy();
      }),
  };
}

const readEagerly = (bytes: Buffer): readonly Request[] => [parse(bytes.toString('latin1'), NOTHING)];

const HEAD_END = Buffer.from('\r\n\r\n');
const NOTHING = Buffer.alloc(0);

/** Reads the requests of one connection. A body needs a `content-length`, which dispatcher, fetch and curl all send. */
export function createRequestReader(): (bytes: Buffer) => readonly Request[] {
  let pending: Buffer = NOTHING;
  return (bytes) => {
    pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes]);
    const complete: Request[] = [];
    for (let end = pending.indexOf(HEAD_END); end >= 0; end = pending.indexOf(HEAD_END)) {
      const head = pending.toString('latin1', 0, end);
      const bodyStart = end + HEAD_END.length;
      const bodyEnd = bodyStart + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
      if (pending.length < bodyEnd) break;
      complete.push(parse(head, pending.subarray(bodyStart, bodyEnd)));
      // An empty slice would keep its whole buffer in memory.
      pending = pending.length === bodyEnd ? NOTHING : pending.subarray(bodyEnd);
    }
    return complete;
  };
}

function parse(head: string, body: Buffer): Request {
  const path = head.indexOf(' ') + 1;
  return { method: head.slice(0, path - 1), path: head.slice(path, head.indexOf(' HTTP/')), head, body };
}

/** The headers, with their names in lower case. */
export function headersOf({ head }: Request): Record<string, string> {
  const lines = head.split('\r\n').slice(1);
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

export function reply(socket: Socket, answer: Answer): void {
  if (answer === 'silence') return;
  if (answer === 'reset') socket.resetAndDestroy();
  else if (answer.delayMs) setTimeout(() => send(socket, answer), answer.delayMs);
  else send(socket, answer);
}

function send(socket: Socket, answer: Exclude<Answer, string>): void {
  if (!('raw' in answer)) {
    const { status, body = '', contentType = 'text/plain' } = answer;
    const head = [
      `HTTP/1.1 ${status} -`,
      `content-type: ${contentType}`,
      `content-length: ${Buffer.byteLength(body)}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  } else if (answer.end) socket.end(answer.raw);
  else socket.write(answer.raw);
}

/** One received POST. */
export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly id: string;
  readonly body: string;
  /** Milliseconds, this process's wall clock. */
  readonly at: number;
}

export interface TestReceiver extends Receiver {
  readonly received: Received[];
  /** Replaces how requests are answered. */
  answer(decide: (received: Received) => Answer): void;
}

/** A receiver that records every POST and answers 200, until `answer` replaces that. */
export async function startTestReceiver(): Promise<TestReceiver> {
  const received: Received[] = [];
  let decide: (received: Received) => Answer = () => ({ status: 200 });
  const receiver = await startReceiver((request, socket) => {
    const headers = headersOf(request);
    const id = String(headers['webhook-id']);
    const post = { path: request.path, headers, id, body: request.body.toString(), at: Date.now() };
    received.push(post);
    reply(socket, decide(post));
  });
  const answer: TestReceiver['answer'] = (next) => {
    decide = next;
  };
  return { ...receiver, received, answer };
}
