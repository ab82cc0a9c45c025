import { relative } from 'node:path';
import { tellDemo } from './demo/print-walkthrough.js';
import { guard } from './processes/guard.js';
import { removeDevFile } from './start/dev-file.js';
import { CommanderError, parseOptions, type StartOptions } from './start/options.js';
import { PLACES, ROOT } from './start/places.js';
import { killProcesses, type Processes, stopProcesses } from './start/processes.js';
import { startAll, type Up } from './start/start-all.js';
import { createStopwatch } from './start/stopwatch.js';

const report = (line: string): void => console.log(line);
const logs = relative(ROOT, PLACES.logs);

/** Brings everything up, tells about it, and stays until it is told to stop. */
async function start(options: StartOptions): Promise<void> {
  const processes: Processes = { services: [] };
  const stopping = stopOnSignals(processes);
  await guard().removeLater(PLACES.devFile);
  // Counted from the start of the process, before anything was loaded.
  const stage = createStopwatch(report, 0);
  try {
    tell(await startAll({ options, processes, report, stage }));
  } catch (error) {
    // Whatever breaks while everything is being stopped is no news.
    if (stopping.aborted) return;
    report(`\nIt did not start. ${(error as Error).message}\nLogs are in ${logs}/.`);
    await stopProcesses(processes);
    process.exit(1);
  }
}

function tell({ facts, delivered }: Up): void {
  report(tellDemo(facts, delivered));
  report(
    `\nLogs are in ${logs}/, facts for scripts in ${relative(ROOT, PLACES.devFile)}. Ctrl-C stops everything.`,
  );
}

/** The first signal stops everything in order; the second kills. */
function stopOnSignals(processes: Processes): AbortSignal {
  const stopping = new AbortController();
  const stop = async (): Promise<void> => {
    if (stopping.signal.aborted) {
      killProcesses(processes);
      process.exit(130);
    }
    stopping.abort();
    report('\nStopping … (once more to kill)');
    await stopProcesses(processes);
    report('Stopped.');
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
  process.on('exit', () => removeDevFile(PLACES.devFile));
  return stopping.signal;
}

try {
  await start(parseOptions(process.argv.slice(2), process.env));
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode;
}
