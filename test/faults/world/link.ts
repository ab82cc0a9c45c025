import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A TCP proxy on 127.0.0.1 between a client and a server. */
export interface Link {
  /** Where clients connect. */
  readonly port: number;
  /** Connections stay open, but carry nothing. */
  cut(): void;
  /** Every request takes this much longer. */
  slow(delayMs: number): void;
  /** Bytes from the server are changed in place before they are forwarded. */
  change(answer: (bytes: Buffer) => void): void;
  /** Connections are closed, new ones refused. */
  refuse(): Promise<void>;
  /** Undoes all of these; bytes that were held back by a cut arrive now. */
  mend(): Promise<void>;
  close(): Promise<void>;
}

/** @param port where clients connect; 0 chooses a free one */
export async function openLink(port: number, target: number): Promise<Link> {
  const sockets = new Set<Socket>();
  const asItIs = () => {};
  let delayMs = 0;
  let changeAnswer: (bytes: Buffer) => void = asItIs;
  let whole = Promise.withResolvers<void>();
  whole.resolve();

  const carry = (from: Socket, to: Socket, delayed: boolean) => {
    from.on('data', (bytes) => {
      from.pause();
      void untilPassable(delayed).then(() => {
        to.write(bytes);
        from.resume();
      });
    });
    from.on('close', () => {
      void whole.promise.then(() => to.destroy());
    });
    from.on('error', () => {});
  };
  const untilPassable = async (delayed: boolean) => {
    if (delayed && delayMs > 0) await sleep(delayMs);
    await whole.promise;
  };
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket.setNoDelay(true));
      socket.on('close', () => sockets.delete(socket));
    }
    carry(client, upstream, true);
    upstream.on('data', (bytes) => changeAnswer(bytes));
    carry(upstream, client, false);
  });
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  };
  const closeAll = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await listen(port);
  const { port: chosen } = server.address() as { port: number };
  return {
    port: chosen,
    cut() {
      whole = Promise.withResolvers<void>();
    },
    slow(ms) {
      delayMs = ms;
    },
    change(answer) {
      changeAnswer = answer;
    },
    refuse: closeAll,
    async mend() {
      delayMs = 0;
      changeAnswer = asItIs;
      whole.resolve();
      if (!server.listening) await listen(chosen);
    },
    close: async () => {
      whole.resolve();
      if (server.listening) await closeAll();
    },
  };
}
