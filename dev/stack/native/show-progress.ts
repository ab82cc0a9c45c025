import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Presets, SingleBar } from 'cli-progress';

export interface ProgressOptions {
  /** What grows while the download goes on. */
  readonly directory: string;
  /** Its size at the end, approximately. */
  readonly bytes: number;
  readonly report: (line: string) => void;
}

export interface Progress {
  /** Fills the bar. */
  done(): void;
  stop(): void;
}

const BAR_EVERY_MS = 250;
const LINE_EVERY_MS = 4_000;
const MEGABYTE = 1_000_000;

/** Shows how far a download is: a moving bar in a terminal, a line every few seconds elsewhere. */
export function showProgress(options: ProgressOptions): Progress {
  return process.stdout.isTTY ? showBar(options) : showLines(options);
}

function showBar({ directory, bytes }: ProgressOptions): Progress {
  const total = Math.round(bytes / MEGABYTE);
  const bar = new SingleBar(
    { format: '  {bar} {percentage} % | {value} of {total} MB | {duration_formatted}' },
    Presets.rect,
  );
  bar.start(total, 0);
  const timer = setInterval(() => bar.update(Math.min(total, megabytesIn(directory))), BAR_EVERY_MS);
  return {
    done: () => bar.update(total),
    stop: () => {
      clearInterval(timer);
      bar.stop();
    },
  };
}

function showLines({ directory, bytes, report }: ProgressOptions): Progress {
  const total = Math.round(bytes / MEGABYTE);
  const say = (value: number): void => report(`  ${Math.min(total, value)} of ${total} MB`);
  const timer = setInterval(() => say(megabytesIn(directory)), LINE_EVERY_MS);
  return { done: () => say(total), stop: () => clearInterval(timer) };
}

function megabytesIn(directory: string): number {
  return Math.round(bytesIn(directory) / MEGABYTE);
}

/** The sum of the sizes of all files below a directory; files that vanish meanwhile count nothing. */
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
