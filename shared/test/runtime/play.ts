import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Case } from './process-under-test.js';

const SCRIPT = fileURLToPath(new URL('./process-under-test.js', import.meta.url));

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly event?: string;
  readonly err?: { readonly message: string; readonly stack: string };
}

export interface Ended {
  readonly code: number | null;
  readonly lines: readonly LogLine[];
  readonly stderr: string;
}

/** Runs a process to its end. Sends it `signal` once it logs that it is ready. */
export async function play(
  what: Case,
  { env = { NEEDED: 'x' }, signal = null }: Options = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [SCRIPT], { env: { ...env, CASE: what } });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text) => {
    stdout += text;
    if (signal !== null && stdout.includes('"event":"ready"')) child.kill(signal);
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const lines = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LogLine);
  return { code, lines, stderr };
}

interface Options {
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: NodeJS.Signals | null;
}
