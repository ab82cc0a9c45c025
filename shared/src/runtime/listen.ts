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

/** Starts listening. @returns the port */
export async function bind(server: Server, { host, port }: Address): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Starts listening. Closing drops all connections. */
export async function listen(server: Server, address: Address): Promise<Listener> {
  return {
    port: await bind(server, address),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
