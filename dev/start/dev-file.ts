import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Processes, processIds } from './processes.js';

/** Facts for scripts about the running demo. */
export interface Facts {
  readonly apiUrl: string;
  /** Of the api, the dispatcher and the dead-letter consumer. */
  readonly metricsUrls: readonly string[];
  readonly kafkaBrokers: readonly string[];
  readonly mongodbUri: string;
  readonly schemaRegistryUrl: string;
  /** The demo's, missing without it. */
  readonly workspace?: string;
  /** With the admin scope. */
  readonly token?: string;
  readonly endpointId?: string;
  readonly receiverUrl?: string;
}

/**
 * Writes the facts, once they are known, with the current process ids. The file is replaced atomically and readable by
 * its owner only, because it contains a token.
 */
export function writeDevFile(file: string, processes: Processes): void {
  if (processes.facts === undefined) return;
  mkdirSync(dirname(file), { recursive: true });
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
