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
  let output: string;
  try {
    output = (await run(command, ['-version'], { env })).stderr;
  } catch {
    throw new Unavailable(`${command} does not run: install Java ${OLDEST_JAVA} or newer`);
  }
  const major = javaMajor(output);
  if (major === undefined || major < OLDEST_JAVA) {
    const found = output.split('\n', 1)[0] ?? '';
    throw new Unavailable(`Java ${OLDEST_JAVA} or newer is needed, ${command} is ${found}`);
  }
  return { command, version: output.split('\n')[1] ?? String(major) };
}

/** The major version in what `java -version` prints; `1.8.0_352` counts as 8. */
export function javaMajor(output: string): number | undefined {
  const match = /version "(?:1\.)?(\d+)/.exec(output);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

/** @throws Unavailable when Maven is missing */
export async function findMaven(env: NodeJS.ProcessEnv): Promise<string> {
  try {
    await run('mvn', ['-v'], { env });
    return 'mvn';
  } catch {
    throw new Unavailable(
      'mvn does not run: install Apache Maven (needed once, to download Kafka and the registry)',
    );
  }
}

/**
 * A Python that has pip.
 * @throws Unavailable when there is none
 */
export async function findPythonWithPip(env: NodeJS.ProcessEnv): Promise<string> {
  for (const python of ['python3', 'python']) {
    try {
      await run(python, ['-m', 'pip', '--version'], { env });
      return python;
    } catch {
      // Try the next name.
    }
  }
  throw new Unavailable(
    'no Python with pip was found: install python3 and pip (needed once, to download mongod)',
  );
}
