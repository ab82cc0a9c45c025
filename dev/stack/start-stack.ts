import { startContainers } from './containers/start-containers.js';
import { startNative } from './native/start-native.js';
import { PROVIDERS, type ProviderName, type Stack, type StackOptions, Unavailable } from './stack.js';

const VARIABLES = ['KAFKA_BROKERS', 'MONGODB_URI', 'SCHEMA_REGISTRY_URL'] as const;

interface Provider {
  /** How a user can make it available. */
  readonly advice: string;
  readonly start: (options: StackOptions) => Promise<Stack>;
}
type Providers = Readonly<Record<ProviderName, Provider>>;

const ALL: Providers = {
  external: {
    advice: 'servers that run already: set KAFKA_BROKERS, MONGODB_URI and SCHEMA_REGISTRY_URL',
    start: useExternal,
  },
  containers: { advice: 'Docker: install it and start its daemon', start: startContainers },
  native: {
    advice: 'plain processes: install Java 17 or newer, Maven and pip (Linux or macOS)',
    start: startNative,
  },
};

/**
 * Starts (or finds) Kafka, MongoDB and a schema registry, and resolves when all three answer.
 *
 * Providers are tried in the order of `PROVIDERS` until one is available. If this process is killed, everything it
 * started ends within seconds.
 * @throws Error that describes the three ways to get a stack, and why each failed, when none is available
 */
export async function startStack(options: StackOptions, providers = ALL): Promise<Stack> {
  const failures: string[] = [];
  for (const name of options.provider === undefined ? PROVIDERS : [options.provider]) {
    try {
      return await providers[name].start(options);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      if (options.provider === name) {
        throw new Error(`The ${name} stack cannot run here: ${error.message}`, { cause: error });
      }
      if (error.visibility === 'report') options.report(`Not using ${name}: ${error.message}`);
      const number = failures.length + 1;
      failures.push(`  ${number}. ${name}: ${ALL[name].advice}\n     not possible here: ${error.message}`);
    }
  }
  const title =
    'Postrider needs Kafka, MongoDB and a schema registry, and found no way to get them. Three ways:';
  throw new Error([title, ...failures].join('\n'));
}

/** Uses servers that run already. `stop` does not stop them. */
async function useExternal({ env = process.env }: StackOptions): Promise<Stack> {
  const [brokers = '', mongodbUri = '', registry = ''] = VARIABLES.map((name) => env[name]?.trim());
  const missing = VARIABLES.filter((name) => !env[name]?.trim());
  if (missing.length === VARIABLES.length) throw new Unavailable(`${VARIABLES.join(', ')} are not set`);
  if (missing.length > 0) {
    throw new Error(
      `To use running servers set all of ${VARIABLES.join(', ')}; missing: ${missing.join(', ')}.`,
    );
  }
  return {
    provider: 'external',
    kafkaBrokers: brokers
      .split(',')
      .map((broker) => broker.trim())
      .filter((broker) => broker !== ''),
    mongodbUri,
    schemaRegistryUrl: registry.replace(/\/+$/, ''),
    pids: {},
    stop: async () => {},
  };
}
