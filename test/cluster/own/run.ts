import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);
/** Parts of a failed command, and of its output, in an error. */
const END_OF_COMMAND = 200;
const END_OF_OUTPUT = 2_000;
const LARGEST_OUTPUT = 64 * 1024 * 1024;

export interface Run {
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
  readonly timeoutMs?: number;
}

/** Runs a program to its end. @returns what it printed @throws Error with its error output */
export async function run(command: string, args: readonly string[], options: Run = {}): Promise<string> {
  const { env = process.env, input, timeoutMs } = options;
  const limits = { maxBuffer: LARGEST_OUTPUT, ...(timeoutMs !== undefined && { timeout: timeoutMs }) };
  const running = execute(command, [...args], { env, ...limits });
  running.child.stdin?.end(input);
  try {
    return (await running).stdout;
  } catch (error) {
    const { stderr, stdout, message } = error as { stderr?: string; stdout?: string; message: string };
    const said = [stderr, stdout?.slice(-END_OF_OUTPUT)].map((text) => text?.trim()).filter(Boolean);
    const shown = `${command} ${args.join(' ')}`.slice(0, END_OF_COMMAND);
    throw new Error(`${shown} failed: ${said.join('\n') || message}`, { cause: error });
  }
}

/** Whether a program runs to its end successfully. */
export const succeeds = (command: string, args: readonly string[], options?: Run): Promise<boolean> =>
  run(command, args, options).then(
    () => true,
    () => false,
  );
