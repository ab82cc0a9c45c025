import { Presets, SingleBar } from 'cli-progress';
import type { Terminal } from './terminal.js';

export interface Progress {
  add(count: number): void;
  end(): void;
}

const LINE_INTERVAL_MS = 5_000;

/**
 * Shows a bar on an interactive terminal, otherwise prints a line every few seconds.
 *
 * @param total an estimate
 */
export function showProgress(
  { bar, printError }: Terminal,
  unit: string,
  total: number,
  monotonicMs: () => number,
): Progress {
  if (bar !== undefined) return drawBar(bar, unit, total);
  let done = 0;
  let next = monotonicMs() + LINE_INTERVAL_MS;
  return {
    add(count) {
      done += count;
      if (monotonicMs() < next) return;
      next = monotonicMs() + LINE_INTERVAL_MS;
      printError(`${done} of about ${Math.max(done, total)} ${unit}`);
    },
    end: () => {},
  };
}

function drawBar(stream: NodeJS.WritableStream, unit: string, total: number): Progress {
  const format = `{bar} {percentage} % | {value} of about {total} ${unit} | {eta_formatted} left`;
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
