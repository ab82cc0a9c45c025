import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VERSION } from '@postrider/shared/runtime/version';
import { CommanderError } from 'commander';
import { type Options, parseOptions } from './options.js';
import { besideTable, type Measured, measuredIn, readMeasured } from './report/beside.js';
import {
  conditionsText,
  DOCUMENT,
  describeMachine,
  requireMarks,
  updateDocument,
} from './report/document.js';
import type { Row } from './report/row.js';
import { scenarioText } from './report/scenario-text.js';
import { type Context, findServerProcesses, type Scenario, serversFrom } from './scenario.js';
import { SCENARIOS } from './scenarios/scenarios.js';

const INTERRUPTED = 130;

/** Runs the selected scenarios. @returns the exit code: 1 if a run did not add up, or nothing was measured */
async function runBench(options: Options): Promise<number> {
  const context = createContext(options);
  try {
    checkFiles(options);
    const machine = await describeMachine(context.servers);
    const startedAt = new Date();
    const results: { name: string; runs: Row[][]; measured: Measured }[] = [];
    for (const scenario of SCENARIOS.filter(({ name }) => options.scenarios.includes(name))) {
      const runs = await runScenario(context, scenario);
      const measured = measuredIn(`Postrider ${VERSION}`, runs);
      results.push({ name: scenario.name, runs, measured });
      const text = scenarioText(runs);
      console.log(`\n## ${scenario.name}\n\n${scenario.about}\n\n${text}\n`);
      if (options.beside !== null) {
        const others = readMeasured(readFileSync(options.beside, 'utf8'), scenario.name);
        console.log(`${besideTable([measured, ...others])}\n`);
      }
      if (options.json !== null) {
        const report = { startedAt, machine, options, scenarios: results };
        writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
      }
      if (options.write) {
        const withConditions = `${conditionsText(machine, options, startedAt)}\n\n${text}`;
        writeFileSync(
          DOCUMENT,
          updateDocument(readFileSync(DOCUMENT, 'utf8'), scenario.name, withConditions),
        );
      }
    }
    const rows = results.flatMap(({ runs }) => runs.flat());
    return rows.length === 0 || rows.some(({ mismatches }) => mismatches.length > 0) ? 1 : 0;
  } catch (error) {
    if (!context.signal.aborted) throw error;
    return INTERRUPTED;
  } finally {
    // Only logs are left, for inspection.
    if (readdirSync(context.directory).length === 0) rmSync(context.directory, { recursive: true });
  }
}

/** @throws Error for problems that would otherwise surface only after the first scenario has been measured */
function checkFiles({ write, beside, scenarios }: Options): void {
  if (write) requireMarks(readFileSync(DOCUMENT, 'utf8'), scenarios);
  if (beside !== null) for (const name of scenarios) readMeasured(readFileSync(beside, 'utf8'), name);
}

async function runScenario(context: Context, { name, run }: Scenario): Promise<Row[][]> {
  const runs: Row[][] = [];
  for (let nth = 1; nth <= context.options.runs; nth += 1) {
    const prefix = `${name} ${nth}/${context.options.runs}`;
    const progress = (line: string) => context.progress(`${prefix}: ${line}`);
    runs.push(await run({ ...context, progress }));
  }
  return runs;
}

function createContext(options: Options): Context {
  const servers = serversFrom(process.env);
  return {
    options,
    servers,
    serverProcesses: findServerProcesses(process.env),
    signal: interruptSignal(),
    progress: (line) => console.error(line),
    directory: mkdtempSync(join(tmpdir(), 'postrider-bench-')),
  };
}

/** The first signal stops everything in order, the second exits at once. */
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

try {
  const names = SCENARIOS.map(({ name }) => name);
  process.exit(await runBench(parseOptions(process.argv.slice(2), names)));
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode;
}
