import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectMongo } from '@postrider/shared/mongo/connect';
import type { Bench } from './bench.js';
import { CommanderError, type Options, parseOptions } from './options.js';
import { publishResults, type Results } from './publish-results.js';
import { describeMachine } from './report/machine.js';
import { hasMismatch, runScenario, type ScenarioRuns } from './run-scenario.js';
import { SCENARIOS } from './scenarios/scenarios.js';
import { findServerProcesses } from './world/find-server-processes.js';
import { serversFrom } from './world/servers.js';

const INTERRUPTED = 130;

/** Runs what was asked for. @returns the exit code: 1 when something did not add up */
async function runBench(options: Options): Promise<number> {
  const bench = openBench(options);
  const measured: ScenarioRuns[] = [];
  try {
    const results: Results = {
      options,
      machine: await machineOf(bench),
      startedAt: new Date(),
      measured,
    };
    for (const scenario of SCENARIOS.filter(({ name }) => options.scenarios.includes(name))) {
      measured.push(await runScenario(bench, scenario));
      publishResults(results, (text) => console.log(text));
    }
    return measured.some(hasMismatch) ? 1 : 0;
  } catch (error) {
    if (!bench.signal.aborted) throw error;
    return INTERRUPTED;
  } finally {
    // What is left in it are logs that somebody may want to read.
    if (readdirSync(bench.directory).length === 0) rmSync(bench.directory, { recursive: true });
  }
}

function openBench(options: Options): Bench {
  const servers = serversFrom(process.env);
  return {
    options,
    servers,
    serverProcesses: findServerProcesses(servers),
    signal: interruptSignal(),
    progress: (line) => console.error(line),
    directory: mkdtempSync(join(tmpdir(), 'postrider-bench-')),
  };
}

/** The first signal ends everything in order; the second does not wait, and what is left ends by itself. */
function interruptSignal(): AbortSignal {
  const interrupted = new AbortController();
  const interrupt = () => {
    if (interrupted.signal.aborted) process.exit(INTERRUPTED);
    console.error('Stopping … (once more to kill)');
    interrupted.abort(new Error('interrupted'));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);
  return interrupted.signal;
}

async function machineOf({ servers, serverProcesses }: Bench) {
  const database = await connectMongo(servers.mongodbUri, 'bench');
  try {
    const kafka = serverProcesses.find(({ name }) => name === 'kafka');
    return await describeMachine(database, kafka?.pid ?? null);
  } finally {
    await database.close();
  }
}

try {
  const names = SCENARIOS.map(({ name }) => name);
  process.exit(await runBench(parseOptions(process.argv.slice(2), names)));
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode;
}
