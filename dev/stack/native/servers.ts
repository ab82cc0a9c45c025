import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Exit } from '../../processes/start-process.js';
import { KAFKA_SETTINGS, toProperties } from '../kafka-settings.js';
import type { Ports } from '../ports.js';
import type { ServerName } from '../stack.js';
import { registryUrl, untilKafkaServes, untilMongoServes, untilRegistryServes } from '../until-serves.js';
import { classArchive } from './class-archive.js';
import { BOOTSTRAP, FORMATTED } from './fetch-kafka.js';
import { REGISTRY_JAR } from './fetch-registry.js';
import type { Java } from './tools.js';

/** Where a server of the native stack finds its program and keeps its files. */
export interface ServerContext {
  /** The directory of the cache with its program. */
  readonly part: string;
  /** Its data and configuration. */
  readonly directory: string;
  readonly java: Java;
  /** The address of this machine on which it listens and clients reach it. */
  readonly host: string;
}

/** A server that is ready to be started, and started again, with the same data on the same port. */
export interface NativeServer {
  readonly command: string;
  readonly args: readonly string[];
  /** Resolves when it serves clients; rejects when the signal aborts or it takes too long. */
  readonly untilReady: (signal: AbortSignal) => Promise<void>;
  /** To be called after its last process has ended. */
  readonly onStopped?: (exit: Exit) => void;
}

export const PREPARE = {
  kafka: prepareKafka,
  mongod: prepareMongod,
  registry: prepareRegistry,
} satisfies Record<ServerName, (context: ServerContext, ports: Ports) => NativeServer>;

const LOGGING = `
rootLogger.level = WARN
rootLogger.appenderRef.stdout.ref = STDOUT
appender.console.type = Console
appender.console.name = STDOUT
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{ISO8601} %p %c{1} %m%n
`;

/** Differences from the usual broker. */
export interface KafkaOverrides {
  /** Broker settings by name. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Directories of classes that replace the broker's own. */
  readonly classes?: readonly string[];
  /** System properties of Java. */
  readonly definitions?: Readonly<Record<string, string>>;
}

/**
 * A KRaft broker with one port for clients and one for itself as controller. Its directory is formatted once: a second
 * start finds the topics and offsets of the first, also on other ports.
 */
export function prepareKafka(
  context: ServerContext,
  { kafka, kafkaController }: Pick<Ports, 'kafka' | 'kafkaController'>,
  { settings: overrides = {}, classes = [], definitions = {} }: KafkaOverrides = {},
): NativeServer {
  const data = join(context.directory, 'data');
  const properties = join(context.directory, 'server.properties');
  const logging = join(context.directory, 'log4j2.properties');
  provideFormat(data, context.part);
  const settings = {
    ...KAFKA_SETTINGS,
    listeners: `PLAINTEXT://${context.host}:${kafka},CONTROLLER://127.0.0.1:${kafkaController}`,
    'advertised.listeners': `PLAINTEXT://${context.host}:${kafka}`,
    'controller.quorum.voters': `1@127.0.0.1:${kafkaController}`,
    'log.dirs': data,
    ...overrides,
  };
  writeFileSync(properties, toProperties(settings));
  writeFileSync(logging, LOGGING);
  return {
    ...javaServer(context, 384, { 'log4j2.configurationFile': logging, ...definitions }, [
      '-cp',
      [...classes, join(context.part, 'libs', '*')].join(delimiter),
      'kafka.Kafka',
      properties,
    ]),
    untilReady: (signal) => untilKafkaServes(`${context.host}:${kafka}`, signal),
  };
}

/** Has the effect of `kafka-storage format` without its running time of a second: its result is kept with the program. */
function provideFormat(data: string, part: string): void {
  const file = join(data, 'meta.properties');
  mkdirSync(data, { recursive: true });
  if (existsSync(file)) return;
  copyFileSync(join(part, FORMATTED, BOOTSTRAP), join(data, BOOTSTRAP));
  const id = (): string => randomUUID().replaceAll('-', '').slice(0, 22);
  const properties = { version: '1', 'node.id': '1', 'cluster.id': id(), 'directory.id': id() };
  writeFileSync(file, toProperties(properties));
}

/**
 * A single-node replica set, because transactions need one. Its name and address are set on every start, so that the port
 * may change.
 */
export function prepareMongod(
  { part, directory, host }: ServerContext,
  { mongod: port }: Pick<Ports, 'mongod'>,
): NativeServer {
  mkdirSync(directory, { recursive: true });
  const storage = ['--dbpath', directory, '--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '256'];
  const network = ['--bind_ip', host, '--port', String(port), '--nounixsocket', '--replSet', 'rs0'];
  const quiet = ['--quiet', '--setParameter', 'diagnosticDataCollectionEnabled=false'];
  return {
    command: join(part, 'mongod'),
    args: [...storage, ...network, ...quiet],
    untilReady: (signal) => untilMongoServes({ address: `${host}:${port}`, replicaSet: 'rs0' }, signal),
  };
}

/** Keeps schemas and their ids in a file, so that messages of an earlier run can still be decoded. */
export function prepareRegistry(
  context: ServerContext,
  { registry: port }: Pick<Ports, 'registry'>,
): NativeServer {
  mkdirSync(context.directory, { recursive: true });
  const settings = {
    'quarkus.http.host': context.host,
    'quarkus.http.port': String(port),
    'quarkus.datasource.jdbc.url': `jdbc:h2:file:${join(context.directory, 'schemas')}`,
    'quarkus.datasource.jdbc.initial-size': '1',
    'quarkus.datasource.jdbc.min-size': '1',
    'quarkus.datasource.jdbc.max-size': '8',
    'quarkus.log.level': 'WARN',
  };
  return {
    ...javaServer(context, 128, settings, ['-jar', join(context.part, REGISTRY_JAR)]),
    untilReady: (signal) => untilRegistryServes(registryUrl(`${context.host}:${port}`), signal),
  };
}

/** With only the first compiler, a start is a second faster and uses less memory; servers this small do not need the other. */
const JVM = ['-Xms32m', '-Xss512k', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:-UsePerfData'];

function javaServer(
  { part, directory, java }: ServerContext,
  heapMb: number,
  properties: Readonly<Record<string, string>>,
  program: readonly string[],
): Pick<NativeServer, 'command' | 'args' | 'onStopped'> {
  const archive = classArchive(part, directory, java);
  const definitions = Object.entries({ 'java.io.tmpdir': directory, ...properties });
  return {
    command: java.command,
    args: [
      ...JVM,
      `-Xmx${heapMb}m`,
      ...archive.flags,
      ...definitions.map(([name, value]) => `-D${name}=${value}`),
      ...program,
    ],
    onStopped: archive.keep,
  };
}
