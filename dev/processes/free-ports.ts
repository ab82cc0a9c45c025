import { randomInt } from 'node:crypto';
import getPort, { clearLockedPorts } from 'get-port';

/** Below the ports that Linux and macOS give to outgoing connections, so that none of those takes a chosen port. */
const FIRST_PORT = 20_000;
const LAST_PORT = 31_999;
const TRIES = 200;
const host = '127.0.0.1';

/** Different free ports of 127.0.0.1. A preferred port is used when it is free. */
export async function chooseFreePorts(preferred: readonly (number | undefined)[]): Promise<number[]> {
  const ports: number[] = [];
  for (const wanted of preferred) {
    const candidates = Array.from({ length: TRIES }, () => randomInt(FIRST_PORT, LAST_PORT + 1));
    ports.push(await getPort({ host, port: [wanted ?? [], candidates].flat(2), exclude: ports }));
  }
  clearLockedPorts();
  return ports;
}
