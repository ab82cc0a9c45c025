import type { Receiver } from '@postrider/shared/testing/receiver';
import { signalGroup } from '../processes/start-process.js';
import type { Supervised } from '../processes/supervise.js';
import type { Stack } from '../stack/stack.js';
import type { Facts } from './dev-file.js';
import type { Janitor } from './run-janitor.js';

/** Everything started so far. It grows during the start, so that a stop finds all of it. */
export interface Processes {
  readonly services: Supervised[];
  receiver?: Receiver;
  janitor?: Janitor;
  stack?: Stack;
  /** Known once everything is up. */
  facts?: Facts;
}

/** Process ids by name as of now, in camel case. */
export function processIds({ services, stack }: Processes): Record<string, number> {
  const named = services.map(({ name, pid }) => [
    name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase()),
    pid,
  ]);
  return { start: process.pid, ...Object.fromEntries(named), ...stack?.pids };
}

/** Stops everything in order, users before what they use. Safe during a start. */
export async function stopProcesses({ services, receiver, janitor, stack }: Processes): Promise<void> {
  await Promise.allSettled([...services.map((service) => service.stop()), janitor?.stop()]);
  await receiver?.close();
  await stack?.stop();
}

/** Kills everything without waiting. The guard ends what is not in the list yet. */
export function killProcesses({ services, stack }: Processes): void {
  for (const service of services) service.kill();
  for (const pid of Object.values(stack?.pids ?? {})) signalGroup(pid, 'SIGKILL');
}
