import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ADMIN } from '../processes/start-service.js';

const run = promisify(execFile);

/** Runs one admin command. @returns its standard output. @throws Error with its `code` and `stderr` */
export async function runAdmin(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  try {
    return (await run(process.execPath, [ADMIN, ...args], { env: { ...process.env, ...env } })).stdout;
  } catch (error) {
    const { code, stdout, stderr, message } = error as { [name: string]: string };
    const reason = stderr?.trim() || stdout?.trim() || message;
    throw Object.assign(new Error(`admin ${args[0]} failed: ${reason}`), { code, stderr });
  }
}
