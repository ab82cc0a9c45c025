import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { guard } from '../../processes/guard.js';
import { poll } from '../../processes/poll.js';
import { isAlive } from '../../processes/proc-files.js';

/** Where the servers keep their data during one run. */
export interface DataDirectory {
  readonly path: string;
  /** Ends the claim, and removes temporary data. */
  release(): void;
}

/** The servers of a killed start may take this long to end. */
const HANDOVER_MS = 6_000;

/** The file system that Linux keeps in memory. */
const MEMORY = '/dev/shm';
/** The data of a stack during the tests is smaller by far, but so may be what is left for everything else. */
const MIN_FREE_BYTES = 8 * 2 ** 30;

/** @returns the file system in memory if there is one and the machine has enough memory, otherwise the usual directory */
export function temporaryParent({ memory = MEMORY, freeBytes = process.availableMemory() } = {}): string {
  if (!existsSync(memory) || freeBytes < MIN_FREE_BYTES) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize < MIN_FREE_BYTES ? tmpdir() : memory;
}

/** A new directory that is removed with the stack, also if we are killed. */
export async function temporaryDirectory(parent = tmpdir()): Promise<DataDirectory> {
  const path = mkdtempSync(join(parent, 'postrider-'));
  await guard().removeLater(path);
  return { path, release: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
}

/**
 * A directory that outlives the stack, used by one stack at a time. The claim names the guard, because that is the
 * process that runs until the last server has ended.
 * @throws Error when another running stack uses it
 */
export async function keptDirectory(directory: string, handoverMs = HANDOVER_MS): Promise<DataDirectory> {
  const path = resolve(directory);
  const claim = join(path, 'in-use-by');
  mkdirSync(path, { recursive: true });
  const options = { everyMs: 50, timeoutMs: handoverMs, what: `the end of the stack that uses ${path}` };
  const isFree = () => !existsSync(claim) || !isAlive(Number(readFileSync(claim, 'utf8')));
  await poll(async () => isFree() || undefined, options);
  writeFileSync(claim, String(guard().pid));
  return { path, release: () => rmSync(claim, { force: true }) };
}
