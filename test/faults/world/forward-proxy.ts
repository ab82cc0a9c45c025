import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * A forward proxy for CONNECT, through which dispatchers reach receivers. It ends tunnels between two requests, so that
 * every POST that arrives is answered.
 */
export interface ForwardProxy {
  /** Ends all tunnels and refuses connections. */
  down(): Promise<void>;
  up(): Promise<void>;
  /** Ends all tunnels and opens no others: the proxy has no network. */
  isolate(): void;
  rejoin(): void;
  /** Ends the tunnels to a port and refuses new ones. */
  refuse(port: number): void;
  accept(port: number): void;
}

interface Tunnel {
  readonly target: number;
  isBusy: boolean;
  isEnding: boolean;
}

export async function startForwardProxy(port: number): Promise<ForwardProxy> {
  const tunnels = new Map<Socket, Tunnel>();
  const refused = new Set<number>();
  let isIsolated = false;
  const server = createServer((client) => {
    client.on('error', () => {});
    client.once('data', (head) => {
      const [, host = '', target = ''] = /^CONNECT ([\d.]+):(\d+) /.exec(head.toString('latin1')) ?? [];
      if (isIsolated || refused.has(Number(target))) {
        client.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n');
        return;
      }
      const upstream = connect(Number(target), host, () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        client.pipe(upstream).pipe(client);
        client.on('data', () => {
          tunnel.isBusy = true;
        });
        upstream.on('data', () => {
          tunnel.isBusy = false;
          if (tunnel.isEnding) client.end();
        });
      });
      const tunnel: Tunnel = { target: Number(target), isBusy: false, isEnding: false };
      tunnels.set(client, tunnel);
      upstream.on('error', () => client.destroy());
      client.on('close', () => {
        tunnels.delete(client);
        upstream.destroy();
      });
    });
  });
  const up = async () => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const end = (isEnded: (target: number) => boolean) => {
    for (const [client, tunnel] of tunnels) {
      if (!isEnded(tunnel.target)) continue;
      tunnel.isEnding = true;
      if (!tunnel.isBusy) client.end();
    }
  };
  await up();
  return {
    up,
    down() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      end(() => true);
      return closed;
    },
    isolate() {
      isIsolated = true;
      end(() => true);
    },
    rejoin() {
      isIsolated = false;
    },
    refuse(target) {
      refused.add(target);
      end((one) => one === target);
    },
    accept: (target) => void refused.delete(target),
  };
}
