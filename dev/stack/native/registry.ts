import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { untilRegistryServes } from '../until-serves.js';
import { classArchive } from './class-archive.js';
import { REGISTRY_JAR } from './fetch-registry.js';
import type { NativeServer, ServerContext } from './native-server.js';

const JVM = [
  '-Xms32m',
  '-Xmx128m',
  '-Xss512k',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-XX:-UsePerfData',
];

/** Keeps schemas and their ids in a file, so that messages of an earlier run can still be decoded. */
export function prepareRegistry({ part, directory, java }: ServerContext, port: number): NativeServer {
  mkdirSync(directory, { recursive: true });
  const archive = classArchive(part, directory, java);
  const settings = {
    'java.io.tmpdir': directory,
    'quarkus.http.host': '127.0.0.1',
    'quarkus.http.port': String(port),
    'quarkus.datasource.jdbc.url': `jdbc:h2:file:${join(directory, 'schemas')}`,
    'quarkus.datasource.jdbc.initial-size': '1',
    'quarkus.datasource.jdbc.min-size': '1',
    'quarkus.datasource.jdbc.max-size': '8',
    'quarkus.log.level': 'WARN',
  };
  const definitions = Object.entries(settings).map(([name, value]) => `-D${name}=${value}`);
  return {
    command: java.command,
    args: [...JVM, ...archive.flags, ...definitions, '-jar', join(part, REGISTRY_JAR)],
    untilReady: (signal) => untilRegistryServes(registryUrl(port), signal),
    onStopped: archive.keep,
  };
}

export function registryUrl(port: number): string {
  return `http://127.0.0.1:${port}/apis/ccompat/v7`;
}
