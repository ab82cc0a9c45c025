import { findListener, programOf } from './processes/find-listener.js';
import type { Watched } from './processes/meter.js';

/** Where the servers are. `npm run bench` starts them and sets the environment accordingly. */
export interface Servers {
  readonly brokers: readonly string[];
  readonly mongodbUri: string;
  readonly registryUrl: string;
}

/** @throws Error that names a variable that is not set */
export function serversFrom(env: NodeJS.ProcessEnv): Servers {
  const required = (name: string): string => {
    const value = env[name];
    if (!value) throw new Error(`${name} is not set: "npm run bench" starts the servers and sets it`);
    return value;
  };
  return {
    brokers: required('KAFKA_BROKERS').split(','),
    mongodbUri: required('MONGODB_URI'),
    registryUrl: required('SCHEMA_REGISTRY_URL'),
  };
}

/**
 * The processes of broker and database, found by the ports on which they listen. A port of another program, such as the
 * proxy of a container, is ignored: its use of CPU and memory is not the server's.
 */
export function findServerProcesses({ brokers, mongodbUri }: Servers): Watched[] {
  const candidates = [
    { name: 'kafka', program: 'java', port: portOf(`tcp://${brokers[0]}`) },
    { name: 'mongod', program: 'mongod', port: portOf(mongodbUri) },
  ];
  return candidates.flatMap(({ name, program, port }) => {
    const pid = findListener(port);
    return pid !== null && programOf(pid) === program ? [{ name, pid, fresh: false }] : [];
  });
}

function portOf(url: string): number {
  return URL.canParse(url) ? Number(new URL(url).port) : 0;
}
