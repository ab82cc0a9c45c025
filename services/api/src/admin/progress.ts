import { Presets, SingleBar } from 'cli-progress';
import type { Terminal } from './terminal.js';

/** How far a long command has come. */
export interface Progress {
  add(count: number): void;
  end(): void;
}

const LINE_EVERY_MS = 5_000;

/**
 * A bar for a person at a terminal; elsewhere a line every few seconds.
 *
 * @param total about how many there are
 * @param now milliseconds, monotonic
 */
export function progress(
  { bar, printError }: Terminal,
  what: string,
  total: number,
  now: () => number,
): Progress {
  if (bar !== undefined) return drawn(bar, what, total);
  let done = 0;
  let next = now() + LINE_EVERY_MS;
  return {
    add(count) {
      done += count;
      if (now() < next) return;
      next = now() + LINE_EVERY_MS;
      printError(`${done} of about ${Math.max(done, total)} ${what}`);
    },
    end: () => {},
  };
}

function drawn(stream: NodeJS.WritableStream, what: string, total: number): Progress {
  const format = `{bar} {percentage} % | {value} of about {total} ${what} | {eta_formatted} left`;
  const shown = new SingleBar(
    { format, stream, clearOnComplete: true, hideCursor: true },
    Presets.shades_classic,
  );
  let done = 0;
  shown.start(total, 0);
  return {
    add(count) {
      done += count;
      if (done > shown.getTotal()) shown.setTotal(done);
      shown.update(done);
    },
    end: () => shown.stop(),
  };
}
