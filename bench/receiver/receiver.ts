import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { machineNow } from '../measure/clock.js';
import type { Answer } from './answer.js';
import { arrivalLog } from './arrivals.js';
import { type Hook, parseHookPath } from './hook-path.js';
import { requestReader } from './read-requests.js';

/** Receives webhooks, notes when each came and answers as its path says. */
export interface Receiver {
  /** Listens on a free port of each address. @returns the origins, in the order of the addresses */
  listen(addresses: readonly string[]): Promise<string[]>;
  /** POSTs so far, by group. */
  counts(): Readonly<Record<string, number>>;
  /** From now on every answer that would take a while comes at once. */
  hurry(): void;
  /** Writes the arrivals to a file. */
  save(file: string): void;
}

const OK = Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok');
const FAILURE = Buffer.from(
  'HTTP/1.1 500 Internal Server Error\r\ncontent-type: text/plain\r\ncontent-length: 6\r\n\r\nbroken',
);
/** A fan-out to thousands of endpoints opens as many connections at once. */
const BACKLOG = 2_048;

export function receiver(): Receiver {
  const arrivals = arrivalLog();
  const counts: Record<string, number> = {};
  const hooks = new Map<string, Hook>();
  const failuresLeft = new Map<string, number>();
  let hurrying = false;

  const hookOf = (path: string): Hook => {
    const known = hooks.get(path);
    if (known !== undefined) return known;
    const hook = parseHookPath(path);
    hooks.set(path, hook);
    return hook;
  };
  const respond = (socket: Socket, answer: Answer, id: string) => {
    switch (answer.kind) {
      case 'never':
        return;
      case 'after':
        if (hurrying || answer.delayMs === 0) socket.write(OK);
        else setTimeout(() => socket.write(OK), answer.delayMs);
        return;
      case 'fail': {
        const left = failuresLeft.get(id) ?? answer.times;
        failuresLeft.set(id, left - 1);
        socket.write(left > 0 ? FAILURE : OK);
      }
    }
  };
  const accept = (socket: Socket) => {
    const read = requestReader();
    socket.setNoDelay(true);
    // The sender may go away at any time, also while an answer waits.
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const at = machineNow();
      for (const { path, id } of read(bytes)) {
        const { group, answer } = hookOf(path);
        arrivals.add(id, at);
        counts[group] = (counts[group] ?? 0) + 1;
        respond(socket, answer, id);
      }
    });
  };

  return {
    listen: (addresses) => Promise.all(addresses.map((address) => listen(createServer(accept), address))),
    counts: () => counts,
    hurry: () => {
      hurrying = true;
    },
    save: arrivals.save,
  };
}

function listen(server: Server, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: 0, host, backlog: BACKLOG }, () => {
      resolve(`http://${host}:${(server.address() as AddressInfo).port}`);
    });
  });
}
