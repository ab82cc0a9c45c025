import { runAdmin } from '../../src/admin/run-admin.js';

/** Runs an admin command as a script would. */
export async function runCommand(args: readonly string[], env: NodeJS.ProcessEnv) {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = {
    print: (line: string) => void out.push(line),
    printError: (line: string) => void err.push(line),
  };
  return { code: await runAdmin(args, env, terminal), out: out.join('\n'), err: err.join('\n') };
}
