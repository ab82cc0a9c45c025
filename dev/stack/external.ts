import { type Stack, type StackOptions, Unavailable } from './stack.js';

const VARIABLES = ['KAFKA_BROKERS', 'MONGODB_URI', 'SCHEMA_REGISTRY_URL'] as const;

/**
 * Uses servers that run already. `stop` leaves them alone.
 * @throws Unavailable when none of the three variables is set
 * @throws Error with the missing ones when only some are set
 */
export async function useExternal({ env = process.env }: Pick<StackOptions, 'env'>): Promise<Stack> {
  const missing = VARIABLES.filter((name) => !env[name]?.trim());
  if (missing.length === VARIABLES.length) throw new Unavailable(`${VARIABLES.join(', ')} are not set`);
  if (missing.length > 0) {
    throw new Error(
      `To use running servers set all of ${VARIABLES.join(', ')}; missing: ${missing.join(', ')}.`,
    );
  }
  const value = (name: (typeof VARIABLES)[number]): string => env[name]?.trim() ?? '';
  return {
    provider: 'external',
    kafkaBrokers: value('KAFKA_BROKERS')
      .split(',')
      .map((broker) => broker.trim())
      .filter((broker) => broker !== ''),
    mongodbUri: value('MONGODB_URI'),
    schemaRegistryUrl: value('SCHEMA_REGISTRY_URL').replace(/\/+$/, ''),
    pids: {},
    stop: async () => {},
  };
}
