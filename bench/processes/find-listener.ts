import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { parseListeners } from '#dev/processes/proc-files';

/** The process that listens on a port of this machine; null if there is none, it is not visible or there is no /proc. */
export function findListener(port: number): number | null {
  const tables = ['tcp', 'tcp6'].map((name) =>
    unlessFails('', () => readFileSync(`/proc/net/${name}`, 'utf8')),
  );
  const sockets = new Set(
    tables.flatMap((table) => parseListeners(table, port)).map((inode) => `socket:[${inode}]`),
  );
  if (sockets.size === 0) return null;
  const pids = unlessFails([], () => readdirSync('/proc')).filter((name) => /^\d+$/.test(name));
  const found = pids.find((pid) =>
    unlessFails([], () => readdirSync(`/proc/${pid}/fd`)).some((fd) =>
      sockets.has(unlessFails('', () => readlinkSync(`/proc/${pid}/fd/${fd}`))),
    ),
  );
  return found === undefined ? null : Number(found);
}

/** The program name of a process, cut to 15 characters by the kernel. */
export function programOf(pid: number): string {
  return unlessFails('', () => readFileSync(`/proc/${pid}/comm`, 'utf8')).trim();
}

/** Processes and their files may disappear at any time or belong to another user. */
function unlessFails<T>(fallback: T, read: () => T): T {
  try {
    return read();
  } catch {
    return fallback;
  }
}
