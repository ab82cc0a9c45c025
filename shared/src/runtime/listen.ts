import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts listening. Closing drops all connections. */
export async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listener> {
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
