import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { lock } from 'proper-lockfile';

/** Where downloads are kept: POSTRIDER_CACHE, or `postrider` in the user's cache directory. */
export function cacheDirectory(env: NodeJS.ProcessEnv): string {
  if (env.POSTRIDER_CACHE) return resolve(env.POSTRIDER_CACHE);
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'postrider');
}

const RETRY = { forever: true, minTimeout: 50, maxTimeout: 200 };

/**
 * Runs `work` while no other process holds the lock. The lock of a process that was killed expires after 10 s.
 * @param path a directory that exists while the lock is held
 * @param onWait called once, when another process holds it
 */
export async function withLock<T>(path: string, onWait: () => void, work: () => Promise<T>): Promise<T> {
  const options = { realpath: false, lockfilePath: path };
  const release = await lock(path, options).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ELOCKED') throw error;
    onWait();
    return lock(path, { ...options, retries: RETRY });
  });
  return work().finally(release);
}
