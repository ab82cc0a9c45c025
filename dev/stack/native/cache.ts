import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { lock } from 'proper-lockfile';

/** Where downloads are kept: POSTRIDER_CACHE, or `postrider` in the user's cache directory. */
export function cacheDirectory(env: NodeJS.ProcessEnv): string {
  if (env.POSTRIDER_CACHE) return resolve(env.POSTRIDER_CACHE);
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'postrider');
}

export interface Lock {
  /** A directory that exists while the lock is held. */
  readonly path: string;
  /** Called once, when another process holds it. */
  readonly onWait: () => void;
  readonly retryMs?: number;
}

/** Runs `work` while no other process holds the lock. The lock of a process that was killed expires after 10 s. */
export async function withLock<T>({ path, onWait, retryMs = 200 }: Lock, work: () => Promise<T>): Promise<T> {
  const options = { realpath: false, lockfilePath: path };
  const release = await lock(path, options).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ELOCKED') throw error;
    onWait();
    return lock(path, { ...options, retries: { forever: true, minTimeout: retryMs, maxTimeout: retryMs } });
  });
  return work().finally(release);
}
