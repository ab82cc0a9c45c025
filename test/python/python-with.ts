import { join } from 'node:path';
import { findPythonWithPip } from '#dev/stack/native/tools';
import { cachedInstall } from '../cached-install.js';

const PROGRAMS = process.platform === 'win32' ? 'Scripts' : 'bin';

/**
 * A virtual environment with some packages, kept in the cache.
 *
 * @param requirements with their versions, like `schemathesis==4.0.0`
 * @returns the directory with its programs
 * @throws Unavailable when there is no Python with pip
 */
export async function pythonWith(...requirements: readonly string[]): Promise<string> {
  const python = await findPythonWithPip(process.env);
  const name = `python-${requirements.join('-').replaceAll('==', '-')}`;
  const directory = await cachedInstall(name, async (place, run) => {
    await run(python, '-m', 'venv', place);
    const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--quiet', ...requirements];
    await run(join(place, PROGRAMS, 'python'), ...pip);
  });
  return join(directory, PROGRAMS);
}
