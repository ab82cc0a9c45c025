/** The ways to get Kafka, MongoDB and a schema registry, in the order in which they are tried. */
export const PROVIDERS = ['external', 'containers', 'native'] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** Reads a provider's name; nothing stands for all of them in turn. @throws Error for another name */
export function parseProvider(name: string | undefined): ProviderName | undefined {
  if (name === undefined || name === '') return undefined;
  const provider = PROVIDERS.find((known) => known === name);
  if (provider === undefined) throw new Error(`"${name}" is no provider; known are ${PROVIDERS.join(', ')}`);
  return provider;
}

/** Three running servers and what a client needs to reach them. */
export interface Stack {
  readonly provider: ProviderName;
  /** `host:port` of every broker. */
  readonly kafkaBrokers: readonly string[];
  /** Names the database `postrider`; the server is a replica set, so transactions work. */
  readonly mongodbUri: string;
  /** The Confluent-compatible API with its path, without a trailing slash. */
  readonly schemaRegistryUrl: string;
  /** Process ids by server, as of now: a server that died and was started again has a new one. Empty when they are not ours. */
  readonly pids: Readonly<Partial<Record<ServerName, number>>>;
  /** Ends every server that was started (SIGTERM, SIGKILL after some seconds) and removes temporary data. Safe to call twice. */
  stop(): Promise<void>;
}

export const SERVERS = ['kafka', 'mongod', 'registry'] as const;
export type ServerName = (typeof SERVERS)[number];

export interface StackOptions {
  /** Take this provider or fail; without it they are tried in order. */
  readonly provider?: ProviderName | undefined;
  /** Keep all data here between runs; without it data is temporary and goes at `stop`. */
  readonly dataDir?: string | undefined;
  /** Receives whole lines meant for a person. */
  readonly report: (line: string) => void;
  /** Called when a server was started again and so has another process id. */
  readonly onRestart?: (() => void) | undefined;
  /** Defaults to `process.env`. */
  readonly env?: NodeJS.ProcessEnv | undefined;
}

/** Thrown by a provider that cannot work on this machine; the message is the reason and the next provider is tried. */
export class Unavailable extends Error {
  override name = 'Unavailable';

  /** @param worthSaying set when a person would have expected this provider to work, even if the next one does */
  constructor(
    reason: string,
    readonly worthSaying: 'worth saying' | undefined = undefined,
  ) {
    super(reason);
  }
}
