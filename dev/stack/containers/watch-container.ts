import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { StartedTestContainer } from 'testcontainers';
import { poll } from '../../processes/poll.js';
import type { ServerName } from '../stack.js';

/** A container that runs, though its server may not serve yet. */
export interface RunningContainer {
  readonly server: ServerName;
  readonly container: StartedTestContainer;
}

interface Inspecting {
  getById(id: string): { inspect(): Promise<{ State: { Running: boolean; ExitCode: number } }> };
}

const CHECK_EVERY_MS = 500;
const NEVER_MS = 3_600_000;
const SHOWN_LINES = 8;

/**
 * Waits until `serves` resolves.
 * @throws Error with the end of the container's log when it ends before, or when `serves` rejects
 */
export async function untilItServes(
  { server, container }: RunningContainer,
  serves: (signal: AbortSignal) => Promise<void>,
  containers: Inspecting,
): Promise<void> {
  const over = new AbortController();
  const ended = async (): Promise<string | undefined> => {
    const { State } = await containers.getById(container.getId()).inspect();
    return State.Running ? undefined : `ended (exit code ${State.ExitCode})`;
  };
  const what = `the end of ${server}`;
  const watch = poll(ended, { everyMs: CHECK_EVERY_MS, timeoutMs: NEVER_MS, what, signal: over.signal });
  try {
    const outcome = await Promise.race([serves(over.signal), watch]);
    if (outcome !== undefined) throw new Error(`the container of ${server} ${outcome}`);
  } catch (error) {
    throw new Error(`${(error as Error).message}; its log ends with\n${await tailOf(container)}`, {
      cause: error,
    });
  } finally {
    over.abort();
    watch.catch(() => {});
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
  await Promise.race([once(stream, 'end').catch(() => {}), wait(CHECK_EVERY_MS)]);
  stream.destroy();
  return log.trimEnd().replace(/^/gm, '  ');
}
