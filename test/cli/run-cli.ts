import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { programFile } from '#dev/programs/programs';

/** Starts the command line program with nothing but these variables. */
export function startCli(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [programFile('cli'), ...args], { env: { PATH: process.env.PATH, ...env } });
}

/** Runs the command line program to its end. */
export async function runCli(args: readonly string[], env: Readonly<Record<string, string>>, stdin = '') {
  const child = startCli(args, env);
  child.stdin.end(stdin);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  return { out, err, code };
}
