import { relative } from 'node:path';
import { CommanderError } from 'commander';
import { describeDemo } from './demo/describe-demo.js';
import { guard } from './processes/guard.js';
import { parseOptions, type StartOptions } from './start/options.js';
import { PATHS, ROOT } from './start/paths.js';
import { type Processes, removeDevFile, stopProcesses } from './start/processes.js';
import { startAll } from './start/start-all.js';

const report = (line: string): void => console.log(line);
const logs = relative(ROOT, PATHS.logs);

/** Reports a stage with the time since the start of the process, before anything was loaded. */
function stage(text: string): void {
  report(`${(performance.now() / 1000).toFixed(1).padStart(6)} s  ${text}`);
}

/** Starts everything, describes it, and runs until it is stopped. */
async function start(options: StartOptions): Promise<void> {
  const processes: Processes = { services: [] };
  const stopping = stopOnSignals(processes);
  await guard().removeLater(PATHS.devFile);
  try {
    const { facts, delivered } = await startAll(options, processes, report, stage);
    report(describeDemo(facts, delivered));
    const devFile = relative(ROOT, PATHS.devFile);
    report(`\nLogs are in ${logs}/, facts for scripts in ${devFile}. Ctrl-C stops everything.`);
  } catch (error) {
    // A stop makes the start fail.
    if (stopping.aborted) return;
    report(`\nIt did not start. ${(error as Error).message}\nLogs are in ${logs}/.`);
    await stopProcesses(processes);
    process.exit(1);
  }
}

/** The first signal stops everything in order; after the second, the guard kills the remaining processes. */
function stopOnSignals(processes: Processes): AbortSignal {
  const stopping = new AbortController();
  const stop = async (): Promise<void> => {
    if (stopping.signal.aborted) process.exit(130);
    stopping.abort();
    report('\nStopping … (once more to kill)');
    await stopProcesses(processes);
    report('Stopped.');
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
  process.on('exit', () => removeDevFile(PATHS.devFile));
  return stopping.signal;
}

try {
  await start(parseOptions(process.argv.slice(2), process.env));
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode;
}
