import { findServer, programOf } from '../processes/find-server.js';
import type { Watched } from '../processes/meter.js';
import type { Servers } from './servers.js';

/**
 * The processes of broker and database, found by the ports on which they listen: whoever started them, their use is
 * measured. A port that something else listens on, such as a container's proxy, tells nothing about the server.
 */
export function findServerProcesses({ brokers, mongodbUri }: Servers): Watched[] {
  const candidates = [
    { name: 'kafka', program: 'java', port: portOf(`tcp://${brokers[0]}`) },
    { name: 'mongod', program: 'mongod', port: portOf(mongodbUri) },
  ];
  return candidates.flatMap(({ name, program, port }) => {
    const pid = findServer(port);
    return pid !== null && programOf(pid) === program ? [{ name, pid, fresh: false }] : [];
  });
}

function portOf(url: string): number {
  return URL.canParse(url) ? Number(new URL(url).port) : 0;
}
