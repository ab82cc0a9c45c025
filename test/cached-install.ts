import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTool } from '#dev/processes/start-process';
import { cacheDirectory, withLock } from '#dev/stack/native/cache';

/** Written last, so that an interrupted installation is repeated. */
const COMPLETE = 'complete';

/** Runs one command of an installation. */
export type RunStep = (command: string, ...args: string[]) => Promise<void>;

/**
 * A directory of the cache with installed packages.
 *
 * @param name with the versions of what is in it
 * @param install fills the empty directory; its commands run there
 */
export async function cachedInstall(
  name: string,
  install: (directory: string, run: RunStep) => Promise<void>,
): Promise<string> {
  const cache = cacheDirectory(process.env);
  const directory = join(cache, name.replace(/[^\w.-]+/g, '-'));
  await mkdir(cache, { recursive: true });
  const onWait = () => console.error(`Another process is installing ${name}; waiting for it.`);
  await withLock(`${directory}.installing`, onWait, async () => {
    if (existsSync(join(directory, COMPLETE))) return;
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory);
    const logFile = `${directory}.log`;
    await install(directory, (command, ...args) => runTool({ command, args, cwd: directory, logFile }));
    await rm(logFile, { force: true });
    await writeFile(join(directory, COMPLETE), '');
  });
  return directory;
}
