import { setTimeout as wait } from 'node:timers/promises';
import { type ContainerRuntimeClient, ImageName } from 'testcontainers';
import { type ServerName, Unavailable } from '../stack.js';

/** The image of each server; variables can replace them, for example with those of a mirror. */
export function chooseImages(env: NodeJS.ProcessEnv): Readonly<Record<ServerName, string>> {
  return {
    kafka: env.POSTRIDER_KAFKA_IMAGE || 'apache/kafka:4.1.1',
    mongod: env.POSTRIDER_MONGODB_IMAGE || 'mongo:7.0',
    registry: env.POSTRIDER_REGISTRY_IMAGE || 'apicurio/apicurio-registry-mem:2.5.11.Final',
  };
}

/** The image of the container that removes the others when we are killed, unless it is disabled. */
export function cleanerImages(env: NodeJS.ProcessEnv): readonly string[] {
  if (env.TESTCONTAINERS_RYUK_DISABLED === 'true') return [];
  return [env.RYUK_CONTAINER_IMAGE || 'testcontainers/ryuk:0.14.0'];
}

const PULL_WITHIN_MS = 60_000;

/**
 * Pulls the images that are missing.
 * @throws Unavailable with the images that could not be pulled in time
 */
export async function provideImages(
  client: Pick<ContainerRuntimeClient, 'image'>,
  names: readonly string[],
  report: (line: string) => void,
  withinMs = PULL_WITHIN_MS,
): Promise<void> {
  const absent = await missingOf(client, names);
  if (absent.length === 0) return;
  report(`Pulling ${absent.join(', ')} (for at most ${withinMs / 1000} s).`);
  const pulls = Promise.allSettled(absent.map((name) => client.image.pull(ImageName.fromString(name))));
  const inTime = new AbortController();
  const results = await Promise.race([
    pulls,
    wait(withinMs, undefined, { ref: false, signal: inTime.signal }),
  ]);
  inTime.abort();
  const still = await missingOf(client, absent);
  if (still.length === 0) return;
  const failure = results?.find((result) => result.status === 'rejected')?.reason as Error | undefined;
  const why =
    failure?.message ??
    (results === undefined ? 'it took too long' : 'the image is still missing after the pull');
  const reason = `missing ${still.join(', ')}, not pulled within ${withinMs / 1000} s: ${why.trim()}`;
  throw new Unavailable(reason, 'report');
}

async function missingOf(
  client: Pick<ContainerRuntimeClient, 'image'>,
  names: readonly string[],
): Promise<string[]> {
  const there = await Promise.all(names.map((name) => client.image.exists(ImageName.fromString(name))));
  return names.filter((_, index) => !there[index]);
}
