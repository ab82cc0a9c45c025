import { connect } from 'node:net';

/** `true` when a server listens at `host:port`, else `undefined`, for `poll`. */
export function acceptsConnections(address: string): Promise<true | undefined> {
  const colon = address.lastIndexOf(':');
  return new Promise((resolve) => {
    const socket = connect(Number(address.slice(colon + 1)), address.slice(0, colon));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(undefined));
  });
}
