import { once } from 'node:events';
import { connect } from 'node:net';

/** Resolves when a server listens at `host:port`, else rejects. */
export async function acceptsConnections(address: string): Promise<true> {
  const { hostname, port } = new URL(`tcp://${address}`);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.destroy();
  return true;
}
