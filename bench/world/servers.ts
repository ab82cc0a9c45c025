/** Where the servers are. `npm run bench` starts them and says so in the environment. */
export interface Servers {
  readonly brokers: readonly string[];
  readonly mongodbUri: string;
  readonly registryUrl: string;
}

/** @throws Error that names what is not set */
export function serversFrom(env: NodeJS.ProcessEnv): Servers {
  const needed = (name: string): string => {
    const value = env[name];
    if (!value) throw new Error(`${name} is not set: "npm run bench" starts the servers and sets it`);
    return value;
  };
  return {
    brokers: needed('KAFKA_BROKERS').split(','),
    mongodbUri: needed('MONGODB_URI'),
    registryUrl: needed('SCHEMA_REGISTRY_URL'),
  };
}
