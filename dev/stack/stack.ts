/** The ways to get Kafka, MongoDB and a schema registry, in the order in which they are tried. */
export const PROVIDERS = ['external', 'containers', 'native'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** Parses a provider's name; undefined selects all of them in turn. @throws Error for another name */
export function parseProvider(name: string | undefined): ProviderName | undefined {
  if (name === undefined || name === '') return undefined;
  const provider = PROVIDERS.find((known) => known === name);
  if (provider === undefined) throw new Error(`"${name}" is no provider; known are ${PROVIDERS.join(', ')}`);
  return provider;
}

/** Three running servers with their addresses. */
export interface Stack {
  readonly provider: ProviderName;
  /** `host:port` of every broker. */
  readonly kafkaBrokers: readonly string[];
  /** Names the database `postrider`; the server is a replica set, so transactions work. */
  readonly mongodbUri: string;
  /** The Confluent-compatible API with its path, without a trailing slash. */
  readonly schemaRegistryUrl: string;
  /** Current process ids by server; a restarted server has a new one. Empty when the processes are not ours. */
  readonly pids: Readonly<Partial<Record<ServerName, number>>>;
  /** Stops every started server (SIGTERM, SIGKILL after some seconds) and removes temporary data. Idempotent. */
  stop(): Promise<void>;
}

export const SERVERS = ['kafka', 'mongod', 'registry'] as const;
export type ServerName = (typeof SERVERS)[number];

export interface StackOptions {
  /** Uses only this provider; without it all are tried in order. */
  readonly provider?: ProviderName | undefined;
  /** Keeps all data here between runs; without it data is temporary and removed by `stop`. */
  readonly dataDir?: string | undefined;
  /** Keeps temporary data of native servers in memory if the machine has enough, because tests wait for the disk otherwise. */
  readonly inMemory?: boolean | undefined;
  /** Receives whole lines for the terminal. */
  readonly report: (line: string) => void;
  /** Called after a server was restarted: its process id has changed. */
  readonly onRestart?: (() => void) | undefined;
  /** Defaults to `process.env`. */
  readonly env?: NodeJS.ProcessEnv | undefined;
}

/** Thrown by a provider that cannot work on this machine; the message is the reason and the next provider is tried. */
export class Unavailable extends Error {
  override name = 'Unavailable';

  /** @param visibility `report` when a user would expect this provider to work, even if the next one does */
  constructor(
    reason: string,
    readonly visibility: 'report' | undefined = undefined,
  ) {
    super(reason);
  }
}
