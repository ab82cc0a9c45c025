import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Presets, SingleBar } from 'cli-progress';

const UPDATE_MS = 250;
const LINE_EVERY_MS = 4_000;
const MEGABYTE = 1_000_000;

/**
 * Shows the progress of a download: a moving bar in a terminal, a line every few seconds elsewhere.
 * @param directory grows with the download
 * @param bytes its approximate size at the end
 */
export async function withProgress(
  directory: string,
  bytes: number,
  download: () => Promise<unknown>,
): Promise<void> {
  const total = Math.round(bytes / MEGABYTE);
  const format = '  {bar} {percentage} % | {value} of {total} MB | {duration_formatted}';
  const bar = new SingleBar({ format, noTTYOutput: true, notTTYSchedule: LINE_EVERY_MS }, Presets.rect);
  bar.start(total, 0);
  const update = () => bar.update(Math.min(total, Math.round(bytesIn(directory) / MEGABYTE)));
  const timer = setInterval(update, UPDATE_MS);
  try {
    await download();
    bar.update(total);
  } finally {
    clearInterval(timer);
    bar.stop();
  }
}

/** The sum of the sizes of all files below a directory; files that vanish meanwhile are not counted. */
export function bytesIn(directory: string): number {
  let names: string[];
  try {
    names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  } catch {
    return 0;
  }
  return names.reduce((sum, name) => {
    const stat = statSync(join(directory, name), { throwIfNoEntry: false });
    return sum + (stat?.isFile() ? stat.size : 0);
  }, 0);
}
