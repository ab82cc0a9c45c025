import { KAFKA_SETTINGS } from '../kafka-settings.js';
import type { Ports } from '../ports.js';
import type { ServerName } from '../stack.js';
import { registryUrl, untilKafkaServes, untilMongoServes, untilRegistryServes } from '../until-serves.js';

/** How to run one server of the stack, without its image. */
export interface ContainerPlan {
  readonly port: { readonly container: number; readonly host: number };
  readonly environment: Readonly<Record<string, string>>;
  /** Replaces the image's own. */
  readonly command?: readonly string[];
  /** Its data directory. */
  readonly data: string;
  readonly user?: string;
  readonly untilReady: (signal: AbortSignal) => Promise<void>;
}

const KAFKA_DATA = '/var/lib/kafka/data';
const REGISTRY_DATA = '/var/lib/registry';

/** The three containers. `host` is the address at which the daemon's published ports are reached from here. */
export function describeContainers(host: string, ports: Ports): Record<ServerName, ContainerPlan> {
  const settings = {
    ...KAFKA_SETTINGS,
    listeners: 'PLAINTEXT://0.0.0.0:9092,CONTROLLER://127.0.0.1:9093',
    'advertised.listeners': `PLAINTEXT://${host}:${ports.kafka}`,
    'log.dirs': `${KAFKA_DATA}/logs`,
  };
  // In its replica set, MongoDB has its address inside the container.
  const replicaSet = { replicaSet: 'rs0', ownAddress: '127.0.0.1:27017' };
  const storage = ['--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '256'];
  return {
    kafka: {
      port: { container: 9092, host: ports.kafka },
      environment: { ...kafkaEnvironment(settings), KAFKA_HEAP_OPTS: '-Xms32m -Xmx384m' },
      data: KAFKA_DATA,
      untilReady: (signal) => untilKafkaServes(`${host}:${ports.kafka}`, signal),
    },
    mongod: {
      port: { container: 27017, host: ports.mongod },
      environment: {},
      command: ['mongod', '--bind_ip_all', '--replSet', 'rs0', '--quiet', ...storage],
      data: '/data/db',
      untilReady: (signal) => untilMongoServes({ address: `${host}:${ports.mongod}`, ...replicaSet }, signal),
    },
    registry: {
      port: { container: 8080, host: ports.registry },
      environment: {
        JAVA_OPTIONS: '-Xms32m -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1',
        QUARKUS_HTTP_HOST: '0.0.0.0',
        REGISTRY_DATASOURCE_URL: `jdbc:h2:file:${REGISTRY_DATA}/schemas`,
        QUARKUS_DATASOURCE_JDBC_INITIAL_SIZE: '1',
        QUARKUS_DATASOURCE_JDBC_MIN_SIZE: '1',
      },
      data: REGISTRY_DATA,
      // A new volume belongs to root.
      user: 'root',
      untilReady: (signal) => untilRegistryServes(registryUrl(`${host}:${ports.registry}`), signal),
    },
  };
}

/** The image turns `KAFKA_LOG_DIRS` into `log.dirs`. */
function kafkaEnvironment(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      `KAFKA_${name.toUpperCase().replaceAll('.', '_')}`,
      value,
    ]),
  );
}
