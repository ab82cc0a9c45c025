import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';

/** Says something to a connection on which a whole request has arrived. */
export type Answer = (socket: Socket, request: string) => void;

export interface Receiver {
  readonly port: number;
  readonly url: string;
  /** All connections so far, oldest first. */
  readonly connections: readonly Socket[];
  /** All requests so far, head and body. */
  readonly requests: readonly string[];
  readonly close: () => Promise<void>;
}

export interface Listening {
  readonly address?: string;
  readonly port?: number;
  /** Key and certificate: speaks TLS. */
  readonly secure?: { readonly key: string; readonly cert: string; readonly ALPNProtocols?: string[] };
  /** Answers whatever arrives first, not only a whole request. */
  readonly eager?: boolean;
}

/** A server on loopback that says exactly what the test wants it to say, valid or not. */
export async function receiver(answer: Answer, listening: Listening = {}): Promise<Receiver> {
  const { address = '127.0.0.1', port = 0, secure, eager = false } = listening;
  const connections: Socket[] = [];
  const requests: string[] = [];
  const take = (socket: Socket) => {
    connections.push(socket);
    let pending = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      pending += chunk.toString('latin1');
      if (!eager && !isWhole(pending)) return;
      requests.push(pending);
      pending = '';
      answer(socket, requests.at(-1) ?? '');
    });
  };
  const server: Server = secure ? createSecureServer(secure, take) : createServer(take);
  await new Promise<void>((listens) => server.listen(port, address, listens));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('not listening on a port');
  return {
    port: bound.port,
    url: `${secure ? 'https' : 'http'}://${address}:${bound.port}/hook`,
    connections,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of connections) socket.destroy();
      }),
  };
}

/** An ordinary answer. */
export function ok(body = 'ok'): Answer {
  return (socket) =>
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** Says the text over and over, as fast as the other side takes it. */
export function sayForever(socket: Socket, text: string): void {
  const block = text.repeat(Math.ceil(65_536 / text.length));
  const pour = () => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.on('drain', pour);
  pour();
}

/** Says one character of the text at a time and never gets far. */
export function drip(socket: Socket, text: string): void {
  let said = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || said >= text.length) clearInterval(timer);
    else socket.write(text[said++] ?? '');
  }, 20);
}

function isWhole(request: string): boolean {
  const [head = '', ...rest] = request.split('\r\n\r\n');
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  return rest.length > 0 && rest.join('\r\n\r\n').length >= Number(length ?? 0);
}
