import { connect } from 'node:net';

/** `true` when somebody listens at `host:port`, `undefined` (ask again) when not. */
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
