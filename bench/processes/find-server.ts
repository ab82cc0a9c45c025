import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { parseListeners } from '#dev/processes/proc-files';

/** The process that listens on a port of this machine; null when there is none, it is not ours to see, or no /proc. */
export function findServer(port: number): number | null {
  const sockets = new Set(
    ['tcp', 'tcp6'].flatMap((table) =>
      parseListeners(readOrNothing(`/proc/net/${table}`), port).map((inode) => `socket:[${inode}]`),
    ),
  );
  if (sockets.size === 0) return null;
  const pids = listOrNothing('/proc').filter((name) => /^\d+$/.test(name));
  const found = pids.find((pid) =>
    listOrNothing(`/proc/${pid}/fd`).some((fd) => sockets.has(linkOrNothing(`/proc/${pid}/fd/${fd}`))),
  );
  return found === undefined ? null : Number(found);
}

/** The name of a process's program, cut to 15 characters by the kernel. */
export function programOf(pid: number): string {
  return readOrNothing(`/proc/${pid}/comm`).trim();
}

/** The files that a process holds open. */
export function openFiles(pid: number): string[] {
  return listOrNothing(`/proc/${pid}/fd`).map((fd) => linkOrNothing(`/proc/${pid}/fd/${fd}`));
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function listOrNothing(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function linkOrNothing(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
