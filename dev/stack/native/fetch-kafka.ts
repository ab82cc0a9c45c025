import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '../../processes/start-process.js';
import { KAFKA_SETTINGS, toProperties } from '../kafka-settings.js';
import { digestOfAll, verify } from './checksum.js';
import type { FetchContext } from './fetch-context.js';
import { runMaven } from './maven.js';
import * as versions from './versions.js';

/** The formatted directory, and the file in it that a new data directory needs. */
export const FORMATTED = 'formatted';
export const BOOTSTRAP = 'bootstrap.checkpoint';

/**
 * Puts the broker and everything on its class path into `into`/libs, and a directory formatted with the release's own tool
 * beside it. The bootstrap record does not depend on the cluster, so one serves every broker that is started from here.
 */
export async function fetchKafka(into: string, maven: string, context: FetchContext): Promise<void> {
  const { downloads, env, java } = context;
  const pom = join(downloads, 'pom.xml');
  const libs = join(into, 'libs');
  await writeFile(pom, POM);
  const args = ['-f', pom, '-DincludeScope=runtime', `-DoutputDirectory=${libs}`];
  await runMaven(maven, 'copy-dependencies', args, context);
  verify(libs, await digestOfAll(libs), versions.KAFKA_SHA256);
  const properties = join(downloads, 'format.properties');
  const settings = { ...KAFKA_SETTINGS, 'log.dirs': join(into, FORMATTED) };
  await writeFile(properties, toProperties(settings));
  const tool = ['kafka.tools.StorageTool', 'format', '--cluster-id=postrider-development', '-c', properties];
  const format = ['-XX:TieredStopAtLevel=1', '-cp', join(libs, '*'), ...tool];
  await runTool({ command: java.command, args: format, env, logFile: join(downloads, 'format.log') });
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
      <version>${versions.KAFKA_VERSION}</version>
    </dependency>
    <dependency>
      <groupId>org.apache.logging.log4j</groupId>
      <artifactId>log4j-slf4j-impl</artifactId>
      <version>${versions.LOG4J_VERSION}</version>
    </dependency>
  </dependencies>
</project>
`;
