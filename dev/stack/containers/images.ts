import { setTimeout as sleep } from 'node:timers/promises';
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

/**
 * Pulls the images that are missing.
 * @throws Unavailable with the images that could not be pulled in time
 */
export async function provideImages(
  { image }: Pick<ContainerRuntimeClient, 'image'>,
  names: readonly string[],
  report: (line: string) => void,
  withinMs = 60_000,
): Promise<void> {
  const missing = async (): Promise<string[]> => {
    const present = await Promise.all(names.map((name) => image.exists(ImageName.fromString(name))));
    return names.filter((_, index) => !present[index]);
  };
  const absent = await missing();
  if (absent.length === 0) return;
  report(`Pulling ${absent.join(', ')} (for at most ${withinMs / 1000} s).`);
  const results = Promise.allSettled(absent.map((name) => image.pull(ImageName.fromString(name))));
  const failure = results.then((pulls): string => {
    const failed = pulls.find((pull) => pull.status === 'rejected');
    return failed?.reason.message.trim() ?? 'the image is still missing after the pull';
  });
  const reason = await Promise.race([failure, sleep(withinMs, 'it took too long', { ref: false })]);
  const still = await missing();
  if (still.length === 0) return;
  throw new Unavailable(
    `missing ${still.join(', ')}, not pulled within ${withinMs / 1000} s: ${reason}`,
    'report',
  );
}
