import { join } from 'node:path';
import { findPythonWithPip } from '#dev/stack/native/tools';
import { cachedInstall } from '../cached-install.js';

const PROGRAMS = process.platform === 'win32' ? 'Scripts' : 'bin';

/**
 * A virtual environment with one package, kept in the cache.
 *
 * @param requirement with its version, like `schemathesis==4.0.0`
 * @returns the directory with its programs
 * @throws Unavailable when there is no Python with pip
 */
export async function pythonWith(requirement: string): Promise<string> {
  const python = await findPythonWithPip(process.env);
  const name = `python-${requirement.replace('==', '-')}`;
  const directory = await cachedInstall(name, async (place, run) => {
    await run(python, '-m', 'venv', place);
    const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--quiet', requirement];
    await run(join(place, PROGRAMS, 'python'), ...pip);
  });
  return join(directory, PROGRAMS);
}
