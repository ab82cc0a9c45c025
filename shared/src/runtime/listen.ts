import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Address {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
}

export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts listening. Closing drops all connections. */
export async function listen(server: Server, { host, port }: Address): Promise<Listener> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
