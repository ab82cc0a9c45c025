import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDirectory } from '../stack/native/cache.js';

const run = promisify(execFile);
const HELM_VERSION = 'v3.19.0';

/** Helm from the PATH, else from the cache, where Go builds it once. @returns null where neither is available */
export async function findHelm(report: (line: string) => void): Promise<string | null> {
  if (await runs('helm', ['version'])) return 'helm';
  const directory = join(cacheDirectory(process.env), `helm-${HELM_VERSION}`);
  const program = join(directory, 'helm');
  if (existsSync(program)) return program;
  if (!(await runs('go', ['version']))) return null;
  report(`building Helm ${HELM_VERSION} into ${directory} (once; some minutes)`);
  const incomplete = `${directory}.incomplete`;
  await mkdir(incomplete, { recursive: true });
  const args = ['install', `helm.sh/helm/v3/cmd/helm@${HELM_VERSION}`];
  try {
    await run('go', args, { env: { ...process.env, GOBIN: incomplete } });
    await rename(incomplete, directory);
    return program;
  } catch (error) {
    report(`Helm could not be built: ${(error as Error).message}`);
    return null;
  }
}

/** Whether this tool is installed and runs. */
export function runs(program: string, args: readonly string[]): Promise<boolean> {
  return run(program, [...args]).then(
    () => true,
    () => false,
  );
}
