import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '#dev/processes/start-process';
import { cacheDirectory, withLock } from '#dev/stack/native/cache';
import { findPythonWithPip } from '#dev/stack/native/tools';

/** Written last, so that an interrupted installation is repeated. */
const COMPLETE = 'complete';

/**
 * A virtual environment with one package, kept in the cache.
 *
 * @param requirement with its version, like `schemathesis==4.0.0`
 * @returns the directory with its programs
 * @throws Unavailable when there is no Python with pip
 */
export async function pythonWith(requirement: string): Promise<string> {
  const python = await findPythonWithPip(process.env);
  const cache = cacheDirectory(process.env);
  const directory = join(cache, `python-${requirement.replace('==', '-')}`);
  const programs = join(directory, process.platform === 'win32' ? 'Scripts' : 'bin');
  await mkdir(cache, { recursive: true });
  const onWait = () => console.error(`Another process is installing ${requirement}; waiting for it.`);
  await withLock(`${directory}.installing`, onWait, async () => {
    if (existsSync(join(directory, COMPLETE))) return;
    await rm(directory, { recursive: true, force: true });
    const logFile = `${directory}.log`;
    await runTool({ command: python, args: ['-m', 'venv', directory], logFile });
    const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--quiet', requirement];
    await runTool({ command: join(programs, 'python'), args: pip, logFile });
    await rm(logFile, { force: true });
    await writeFile(join(directory, COMPLETE), '');
  });
  return programs;
}
