import { lock } from 'proper-lockfile';

const RETRY_MS = 200;

export interface Lock {
  /** A directory that exists while the lock is held. */
  readonly path: string;
  /** Called once, when another process holds it. */
  readonly onWait: () => void;
  readonly retryMs?: number;
}

/** Runs `work` while no other process holds the lock. The lock of a process that was killed expires after 10 s. */
export async function withLock<T>(
  { path, onWait, retryMs = RETRY_MS }: Lock,
  work: () => Promise<T>,
): Promise<T> {
  const options = { realpath: false, lockfilePath: path };
  const release = await lock(path, options).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ELOCKED') throw error;
    onWait();
    return lock(path, { ...options, retries: { forever: true, minTimeout: retryMs, maxTimeout: retryMs } });
  });
  return work().finally(release);
}
