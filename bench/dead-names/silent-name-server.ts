import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A name server that takes every question and answers none. */
export interface SilentNameServer {
  /** `address:port`. */
  readonly address: string;
  close(): void;
}

export async function silentNameServer(): Promise<SilentNameServer> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}
