import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Receiver } from '@postrider/shared/testing/receiver';
import type { Supervised } from '../processes/supervise.js';
import type { Stack } from '../stack/stack.js';

/** Facts for scripts about the running demo. */
export interface Facts {
  readonly apiUrl: string;
  /** Of the api, the dispatcher and the dead-letter consumer. */
  readonly metricsUrls: readonly string[];
  readonly kafkaBrokers: readonly string[];
  readonly mongodbUri: string;
  readonly schemaRegistryUrl: string;
  /** The demo's; absent without the demo. */
  readonly workspace?: string;
  /** With the admin scope. */
  readonly token?: string;
  readonly endpointId?: string;
  readonly receiverUrl?: string;
  /** Opens the console, signed in to the workspace. */
  readonly consoleUrl?: string;
}

/** Everything started so far. It grows during the start, so that a stop finds all of it. */
export interface Processes {
  readonly services: Supervised[];
  receiver?: Receiver;
  stopJanitor?: () => Promise<void>;
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

/** Stops everything in order, dependents before their dependencies. Safe during a start. */
export async function stopProcesses({ services, receiver, stopJanitor, stack }: Processes): Promise<void> {
  await Promise.allSettled([...services.map((service) => service.stop()), stopJanitor?.()]);
  await receiver?.close();
  await stack?.stop();
}

/**
 * Writes the facts, once they are known, with the current process ids. The file is replaced atomically and readable by
 * its owner only, because it contains a token.
 */
export function writeDevFile(file: string, processes: Processes): void {
  if (processes.facts === undefined) return;
  const unfinished = `${file}.${process.pid}`;
  const content = { ...processes.facts, pids: processIds(processes) };
  writeFileSync(unfinished, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}

/** Removes the file unless it belongs to another start. */
export function removeDevFile(file: string): void {
  try {
    const { pids } = JSON.parse(readFileSync(file, 'utf8'));
    if (pids.start === process.pid) rmSync(file);
  } catch {
    // There is no file.
  }
}
