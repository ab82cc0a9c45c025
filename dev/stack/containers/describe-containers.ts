import { KAFKA_SETTINGS } from '../kafka-settings.js';
import type { Ports } from '../ports.js';
import type { ServerName } from '../stack.js';

/** How to run one server of the stack, without its image. */
export interface ContainerPlan {
  readonly server: ServerName;
  readonly port: { readonly container: number; readonly host: number };
  readonly environment: Readonly<Record<string, string>>;
  /** Empty for the image's own. */
  readonly command: readonly string[];
  /** Its data directory. */
  readonly data: string;
  readonly user?: string;
}

/** MongoDB's address in its replica set: inside the container. */
export const MONGOD_INSIDE = '127.0.0.1:27017';

/** The three containers. `host` is where the daemon's published ports are reached from here. */
export function describeContainers(host: string, ports: Ports): readonly ContainerPlan[] {
  return [describeKafka(host, ports.kafka), describeMongod(ports.mongod), describeRegistry(ports.registry)];
}

function describeKafka(host: string, port: number): ContainerPlan {
  const data = '/var/lib/kafka/data';
  const settings = {
    ...KAFKA_SETTINGS,
    listeners: 'PLAINTEXT://0.0.0.0:9092,CONTROLLER://127.0.0.1:9093',
    'advertised.listeners': `PLAINTEXT://${host}:${port}`,
    'controller.quorum.voters': '1@127.0.0.1:9093',
    'log.dirs': `${data}/logs`,
  };
  return {
    server: 'kafka',
    port: { container: 9092, host: port },
    environment: { ...kafkaEnvironment(settings), KAFKA_HEAP_OPTS: '-Xms32m -Xmx384m' },
    command: [],
    data,
  };
}

/** The image turns `KAFKA_LOG_DIRS` into `log.dirs`. */
export function kafkaEnvironment(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      `KAFKA_${name.toUpperCase().replaceAll('.', '_')}`,
      value,
    ]),
  );
}

function describeMongod(port: number): ContainerPlan {
  const storage = ['--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '256'];
  return {
    server: 'mongod',
    port: { container: 27017, host: port },
    environment: {},
    command: ['mongod', '--bind_ip_all', '--replSet', 'rs0', '--quiet', ...storage],
    data: '/data/db',
  };
}

function describeRegistry(port: number): ContainerPlan {
  const data = '/var/lib/registry';
  return {
    server: 'registry',
    port: { container: 8080, host: port },
    environment: {
      JAVA_OPTIONS: '-Xms32m -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1',
      QUARKUS_HTTP_HOST: '0.0.0.0',
      REGISTRY_DATASOURCE_URL: `jdbc:h2:file:${data}/schemas`,
      QUARKUS_DATASOURCE_JDBC_INITIAL_SIZE: '1',
      QUARKUS_DATASOURCE_JDBC_MIN_SIZE: '1',
    },
    command: [],
    data,
    // A new volume belongs to root.
    user: 'root',
  };
}
