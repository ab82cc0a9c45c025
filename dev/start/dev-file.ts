import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Processes, processIds } from './processes.js';

/** Facts for scripts about the running demo. */
export interface DevFile {
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
  /** Current ones; `start` is the process that supervises the others. */
  readonly pids: Readonly<Record<string, number>>;
}

/** The facts that do not change. */
export type Facts = Omit<DevFile, 'pids'>;

/** Keeps the file up to date while processes restart. */
export interface Notes {
  readonly write: (facts: Facts) => void;
  /** Writes the current process ids, if there is a file. */
  readonly refresh: () => void;
}

export function createNotes(processes: Processes, file: string): Notes {
  let known: Facts | undefined;
  const refresh = (): void => {
    if (known !== undefined) writeDevFile(file, { ...known, pids: processIds(processes) });
  };
  const write = (facts: Facts): void => {
    known = facts;
    refresh();
  };
  return { write, refresh };
}

/** Writes the file atomically and readable by its owner only, because it contains a token. */
export function writeDevFile(file: string, content: DevFile): void {
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}

/** Removes the file unless it belongs to another start. */
export function removeDevFile(file: string): void {
  try {
    const content = JSON.parse(readFileSync(file, 'utf8')) as DevFile;
    if (content.pids.start === process.pid) rmSync(file);
  } catch {
    // There is no file.
  }
}
