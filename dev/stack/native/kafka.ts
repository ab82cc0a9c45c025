import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KAFKA_SETTINGS, toProperties } from '../kafka-settings.js';
import { untilKafkaServes } from '../until-serves.js';
import { classArchive } from './class-archive.js';
import { BOOTSTRAP, FORMATTED } from './fetch-kafka.js';
import type { NativeServer, ServerContext } from './native-server.js';

const LOGGING = `
rootLogger.level = WARN
rootLogger.appenderRef.stdout.ref = STDOUT
appender.console.type = Console
appender.console.name = STDOUT
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{ISO8601} %p %c{1} %m%n
`;

/** The quick compiler alone starts a second sooner and holds less memory; a broker this small never needs the other. */
const JVM = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:-UsePerfData'];

/**
 * A KRaft broker on `ports` for clients and for itself as controller. Its directory is formatted once: a second start
 * finds the topics and offsets of the first, also on other ports.
 *
 * @param settings broker settings that differ, by name
 */
export function prepareKafka(
  context: ServerContext,
  ports: readonly [number, number],
  settings: Readonly<Record<string, string>> = {},
): NativeServer {
  const { directory } = context;
  mkdirSync(directory, { recursive: true });
  const properties = join(directory, 'server.properties');
  const logging = join(directory, 'log4j2.properties');
  writeFileSync(
    properties,
    toProperties({
      ...KAFKA_SETTINGS,
      ...addresses(ports),
      'log.dirs': join(directory, 'data'),
      ...settings,
    }),
  );
  writeFileSync(logging, LOGGING);
  provideFormat(join(directory, 'data'), context.part);
  const archive = classArchive(context.part, directory, context.java);
  const heap = ['-Xms32m', '-Xmx384m', '-Xss512k'];
  const files = [`-Dlog4j2.configurationFile=${logging}`, `-Djava.io.tmpdir=${directory}`];
  const program = ['-cp', join(context.part, 'libs', '*'), 'kafka.Kafka', properties];
  return {
    command: context.java.command,
    args: [...JVM, ...archive.flags, ...heap, ...files, ...program],
    untilReady: (signal) => untilKafkaServes(`127.0.0.1:${ports[0]}`, signal),
    onStopped: archive.keep,
  };
}

/** What `kafka-storage format` does, without the second that it takes: its result is kept with the program. */
function provideFormat(data: string, part: string): void {
  const file = join(data, 'meta.properties');
  if (existsSync(file)) return;
  mkdirSync(data, { recursive: true });
  copyFileSync(join(part, FORMATTED, BOOTSTRAP), join(data, BOOTSTRAP));
  const id = (): string => randomUUID().replaceAll('-', '').slice(0, 22);
  writeFileSync(
    file,
    toProperties({ version: '1', 'node.id': '1', 'cluster.id': id(), 'directory.id': id() }),
  );
}

function addresses([client, controller]: readonly [number, number]): Record<string, string> {
  return {
    listeners: `PLAINTEXT://127.0.0.1:${client},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${client}`,
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
  };
}
