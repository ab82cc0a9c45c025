import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ContainerRuntimeClient, StartedTestContainer } from 'testcontainers';
import type { ServerName } from '../stack.js';
import type { ContainerPlan } from './describe-containers.js';

const CHECK_EVERY_MS = 500;
const SHOWN_LINES = 8;

/**
 * Waits until the server in a container serves.
 * @throws Error with the end of the container's log when it ends before, or is not ready in time
 */
export async function untilReady(
  server: ServerName,
  container: StartedTestContainer,
  { untilReady: serves }: Pick<ContainerPlan, 'untilReady'>,
  containers: Pick<ContainerRuntimeClient['container'], 'getById'>,
  cancelled: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, cancelled]);
  const ended = async (): Promise<never> => {
    for (;;) {
      await sleep(CHECK_EVERY_MS, undefined, { signal });
      const details = await containers
        .getById(container.getId())
        .inspect()
        .catch(() => undefined);
      if (details?.State.Running !== false) continue;
      throw new Error(`the container of ${server} ended (exit code ${details.State.ExitCode})`);
    }
  };
  try {
    await Promise.race([serves(signal), ended()]);
  } catch (error) {
    const log = await tailOf(container);
    throw new Error(`${(error as Error).message}; its log ends with\n${log}`, { cause: error });
  } finally {
    over.abort();
  }
}

/** A running container's log does not end, so it is read for half a second. */
async function tailOf(container: StartedTestContainer): Promise<string> {
  const stream = await container.logs({ tail: SHOWN_LINES }).catch(() => undefined);
  if (stream === undefined) return '  (nothing)';
  let log = '';
  stream.on('data', (chunk) => {
    log += chunk;
  });
  await Promise.race([once(stream, 'end').catch(() => {}), sleep(CHECK_EVERY_MS)]);
  stream.destroy();
  return log.trimEnd().replace(/^/gm, '  ');
}
