import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { programFile } from '../programs/programs.js';

const run = promisify(execFile);

/** Runs one admin command. @returns its standard output. @throws Error with its `code` and `stderr` */
export async function runAdmin(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  try {
    return (await run(process.execPath, [programFile('admin'), ...args], { env: { ...process.env, ...env } }))
      .stdout;
  } catch (error) {
    const { code, stdout, stderr, message } = error as { [name: string]: string };
    const reason = stderr?.trim() || stdout?.trim() || message;
    throw Object.assign(new Error(`admin ${args[0]} failed: ${reason}`), { code, stderr });
  }
}

/** The demo's workspace. */
export const WORKSPACE = 'demo';

/** Creates a workspace, unless it exists from an earlier run. @returns a new token with every permission in it */
export async function openWorkspace(slug: string, env: NodeJS.ProcessEnv, admin = runAdmin): Promise<string> {
  const workspace = ['--slug', slug, '--name', slug, '--owner-email', 'owner@example.com'];
  await admin(['workspace', 'create', ...workspace], env).catch((error: Error) => {
    if (!/is taken/.test(error.message)) throw error;
  });
  const token = ['--workspace', slug, '--name', 'dev', '--scopes', 'admin', '--json'];
  return (JSON.parse(await admin(['token', 'create', ...token], env)) as { token: string }).token;
}
