import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Counts } from '../measure/counts.js';

/**
 * The directory in which a broker on this machine stores its messages, from the settings with which it was started.
 *
 * @returns null if the process is gone, is another user's, or is started in another way
 */
export function findLogDirectory(pid: number): string | null {
  try {
    const settings = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean).at(-1);
    return /^log\.dirs=(.+)$/m.exec(readFileSync(settings ?? '', 'utf8'))?.[1] ?? null;
  } catch {
    return null;
  }
}

/**
 * Bytes of the messages on one replica, by topic without its prefix. Indexes are not counted: their files are allocated
 * in advance.
 */
export function readTopicBytes(directory: string, prefix: string): Counts {
  const bytes: Record<string, number> = {};
  for (const partition of readdirSync(directory).filter((name) => name.startsWith(prefix))) {
    const topic = partition.slice(prefix.length, partition.lastIndexOf('-'));
    const segments = readdirSync(join(directory, partition)).filter((name) => name.endsWith('.log'));
    const sizes = segments.map((name) => statSync(join(directory, partition, name)).size);
    bytes[topic] = sizes.reduce((sum, size) => sum + size, bytes[topic] ?? 0);
  }
  return bytes;
}
