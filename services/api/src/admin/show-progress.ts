import { Presets, SingleBar } from 'cli-progress';
import type { Terminal } from './terminal.js';

interface Shown {
  readonly unit: string;
  /** An estimate. */
  readonly total: number;
}

/** Counts what is done. */
type Add = (count: number) => void;

interface Progress {
  readonly add: Add;
  end(): void;
}

const LINE_INTERVAL_MS = 5_000;
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Does the work and shows its progress: as a bar on an interactive terminal, otherwise as a line every few seconds. */
export async function showProgress<Result>(
  { bar, printError }: Pick<Terminal, 'bar' | 'printError'>,
  shown: Shown,
  work: (add: Add) => Promise<Result>,
): Promise<Result> {
  const progress = bar === undefined ? printLines(printError, shown) : drawBar(bar, shown);
  try {
    return await work(progress.add);
  } finally {
    progress.end();
  }
}

function printLines(print: Terminal['printError'], { unit, total }: Shown): Progress {
  let done = 0;
  let next = performance.now() + LINE_INTERVAL_MS;
  return {
    add(count) {
      done += count;
      if (performance.now() < next) return;
      next = performance.now() + LINE_INTERVAL_MS;
      print(`${done} of about ${Math.max(done, total)} ${unit}`);
    },
    end: () => {},
  };
}

function drawBar(stream: NodeJS.WritableStream, { unit, total }: Shown): Progress {
  const format = `{bar} {percentage} % | {value} of about {total} ${unit} | {eta_formatted} left`;
  const shown = new SingleBar(
    { format, stream, clearOnComplete: true, hideCursor: true },
    Presets.shades_classic,
  );
  const end = () => {
    for (const signal of ENDING_SIGNALS) process.off(signal, endBy);
    shown.stop();
  };
  // The terminal would otherwise keep the bar's settings: no cursor, no wrapped lines. A handler of the image exits.
  const endBy = (signal: NodeJS.Signals) => {
    end();
    process.kill(process.pid, signal);
  };
  for (const signal of ENDING_SIGNALS) process.prependListener(signal, endBy);
  let done = 0;
  shown.start(total, 0);
  return {
    add(count) {
      done += count;
      if (done > shown.getTotal()) shown.setTotal(done);
      shown.update(done);
    },
    end,
  };
}
