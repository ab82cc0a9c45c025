import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { Address } from './name-cache.js';

type Entries = ReadonlyMap<string, readonly Address[]>;

const NONE: readonly Address[] = [];

/**
 * Looks names up in a hosts file. The file is read again after its modification time or size changes; an unreadable file
 * has no entries.
 *
 * @returns the addresses in the file's order, empty if the name is not in it
 */
export function createHostsFile(path: string): (host: string) => Promise<readonly Address[]> {
  let entries: Entries = new Map();
  let readState = '';
  return async (host) => {
    const state = await stateOf(path);
    if (state !== readState) {
      entries = parseHosts(await readFile(path, 'utf8').catch(() => ''));
      readState = state;
    }
    return entries.get(host) ?? NONE;
  };
}

/** Parses lines of an address and its names; `#` starts a comment. */
export function parseHosts(text: string): Entries {
  const entries = new Map<string, Address[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family !== 4 && family !== 6) continue;
    for (const name of names) {
      const existing = entries.get(name.toLowerCase());
      if (existing) existing.push({ address, family });
      else entries.set(name.toLowerCase(), [{ address, family }]);
    }
  }
  return entries;
}

async function stateOf(path: string): Promise<string> {
  const stats = await stat(path).catch(() => null);
  return stats === null ? '' : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
}
