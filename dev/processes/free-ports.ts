import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/** Below the ports that Linux and macOS hand out to outgoing connections, so that none of those takes a port that we chose. */
const FIRST_PORT = 20_000;
const LAST_PORT = 31_999;
const TRIES = 200;

/** Ports of 127.0.0.1 on which nobody listens, all different. A preferred port comes first when it is free. */
export async function chooseFreePorts(preferred: readonly (number | undefined)[]): Promise<number[]> {
  const held: Server[] = [];
  try {
    const ports: number[] = [];
    for (const port of preferred) {
      const server = (port === undefined ? undefined : await hold(port)) ?? (await holdAny());
      held.push(server);
      ports.push((server.address() as { port: number }).port);
    }
    return ports;
  } finally {
    await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

/** Whether somebody could listen on this port of 127.0.0.1 now. */
export async function isFree(port: number): Promise<boolean> {
  const server = await hold(port);
  if (server === undefined) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

async function holdAny(): Promise<Server> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const server = await hold(randomInt(FIRST_PORT, LAST_PORT + 1));
    if (server !== undefined) return server;
  }
  throw new Error(`No free port between ${FIRST_PORT} and ${LAST_PORT} on 127.0.0.1`);
}

function hold(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(server));
  });
}
