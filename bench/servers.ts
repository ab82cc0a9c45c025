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

/** The processes of broker and database, if `npm run bench` started them on this machine. */
export function findServerProcesses(env: NodeJS.ProcessEnv): Watched[] {
  const pids: Record<string, number> = JSON.parse(env.STACK_PIDS ?? '{}');
  return ['kafka', 'mongod'].flatMap((name) => {
    const pid = pids[name];
    return pid === undefined ? [] : [{ name, pid, fresh: false }];
  });
}
