import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '../../processes/start-process.js';
import { ROOT } from '../../start/places.js';
import { KAFKA_SETTINGS, toProperties } from '../kafka-settings.js';
import type { FetchContext } from './fetch-context.js';
import { runMaven } from './run-maven.js';
import { ChecksumMismatch, verifyChecksum } from './verify-checksum.js';
import { KAFKA_VERSION, LOG4J_VERSION } from './versions.js';

/** The formatted directory, and the file in it that a new data directory needs. */
export const FORMATTED = 'formatted';
export const BOOTSTRAP = 'bootstrap.checkpoint';

/** The tool requires addresses, though it contacts no server. */
const NOWHERE = {
  listeners: 'PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093',
  'controller.quorum.voters': '1@127.0.0.1:9093',
};

/** Puts the broker and everything on its class path into `into`/libs. */
export async function fetchKafka(into: string, context: FetchContext): Promise<void> {
  const pom = join(into, 'pom.xml');
  const libs = join(into, 'libs');
  await writeFile(pom, POM);
  await runMaven(
    'copy-dependencies',
    ['-f', pom, '-DincludeScope=runtime', `-DoutputDirectory=${libs}`],
    context,
  );
  await verifyJars(libs);
  await format(into, context);
}

/**
 * Formats a directory with the release's own tool. Nothing in the bootstrap record depends on the cluster, so one serves
 * every broker that is started from here.
 */
async function format(into: string, context: FetchContext): Promise<void> {
  const directory = join(into, FORMATTED);
  const properties = join(into, 'format.properties');
  await writeFile(properties, toProperties({ ...KAFKA_SETTINGS, ...NOWHERE, 'log.dirs': directory }));
  const tool = ['kafka.tools.StorageTool', 'format', '--cluster-id=postrider-development', '-c', properties];
  const args = ['-XX:TieredStopAtLevel=1', '-cp', join(into, 'libs', '*'), ...tool];
  const logFile = join(context.downloads, 'format.log');
  await runTool({ command: context.java.command, args, env: context.env, logFile });
  await rm(properties);
}

/** @throws ChecksumMismatch for a jar that is missing, unknown or different */
async function verifyJars(libs: string): Promise<void> {
  const pinned = await pinnedJars();
  const found = new Set(await readdir(libs));
  const unknown = [...found].filter((name) => !pinned.has(name));
  if (unknown.length > 0) throw new ChecksumMismatch(`unexpected files among Kafka's: ${unknown.join(', ')}`);
  for (const [name, expected] of pinned) {
    if (!found.has(name)) throw new ChecksumMismatch(`${name} is missing among Kafka's files`);
    await verifyChecksum(join(libs, name), expected);
  }
}

/** SHA-256 by name of every jar that the broker consists of, from a file in the format of `sha256sum`. */
export async function pinnedJars(): Promise<Map<string, string>> {
  const text = await readFile(join(ROOT, 'dev/stack/native/kafka-jars.sha256'), 'utf8');
  return new Map(text.split('\n').flatMap((line) => (line ? [[line.slice(66), line.slice(0, 64)]] : [])));
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>postrider</groupId>
  <artifactId>kafka</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>${KAFKA_VERSION}</version>
    </dependency>
    <dependency>
      <groupId>org.apache.logging.log4j</groupId>
      <artifactId>log4j-slf4j-impl</artifactId>
      <version>${LOG4J_VERSION}</version>
    </dependency>
  </dependencies>
</project>
`;
