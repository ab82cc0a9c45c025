import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

const RETRY_MS = 200;

export interface Lock {
  readonly file: string;
  /** Called once, when somebody else holds it, with the holder's process id. */
  readonly onWait: (holder: number) => void;
  readonly retryMs?: number;
}

/** Runs `work` while no other process holds the lock. A lock whose holder no longer runs is taken over. */
export async function withLock<T>(lock: Lock, work: () => Promise<T>): Promise<T> {
  const { file, onWait, retryMs = RETRY_MS } = lock;
  const mine = `${process.pid} ${randomUUID()}`;
  let told = false;
  while (!(await take(file, mine))) {
    const theirs = await readFile(file, 'utf8').catch(() => undefined);
    if (theirs === undefined) continue;
    const holder = Number.parseInt(theirs, 10);
    if (!runs(holder)) {
      await removeStale(file, theirs);
      continue;
    }
    if (!told) onWait(holder);
    told = true;
    await wait(retryMs);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

/** Links a complete file into place, so that a lock never exists without its holder's id in it. */
async function take(file: string, content: string): Promise<boolean> {
  const own = `${file}.${randomUUID()}`;
  await writeFile(own, content);
  try {
    await link(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

/** Moves the file away first: of two processes that both saw the dead holder only one can, and a fresh lock is put back. */
async function removeStale(file: string, stale: string): Promise<void> {
  const away = `${file}.stale.${process.pid}`;
  try {
    await rename(file, away);
    if ((await readFile(away, 'utf8')) !== stale) await link(away, file).catch(() => {});
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  } finally {
    await rm(away, { force: true });
  }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
