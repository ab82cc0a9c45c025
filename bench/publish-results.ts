import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Options } from './options.js';
import { machineText, updateDocument } from './report/document.js';
import type { Machine } from './report/machine.js';
import { scenarioText } from './report/scenario-text.js';
import { summarise } from './report/summary.js';
import type { ScenarioRuns } from './run-scenario.js';

const DOCUMENT = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));

export interface Results {
  readonly options: Options;
  readonly machine: Machine;
  readonly startedAt: Date;
  readonly measured: readonly ScenarioRuns[];
}

/** Prints the latest scenario, and writes everything so far where the options want it. */
export function publishResults(
  { options, machine, startedAt, measured }: Results,
  print: (text: string) => void,
): void {
  const latest = measured.at(-1);
  if (latest === undefined) return;
  const text = scenarioText(summarise(latest.runs));
  print(`\n## ${latest.scenario.name}\n\n${latest.scenario.about}\n\n${text}\n`);
  if (options.json !== null) {
    const scenarios = measured.map(({ scenario, runs }) => ({ name: scenario.name, runs }));
    writeFileSync(options.json, `${JSON.stringify({ startedAt, machine, options, scenarios }, null, 2)}\n`);
  }
  if (options.write) {
    const date = startedAt.toISOString().slice(0, 10);
    const results = `${machineText(machine, { ...options, date })}\n\n${text}`;
    const before = existsSync(DOCUMENT) ? readFileSync(DOCUMENT, 'utf8') : null;
    writeFileSync(DOCUMENT, updateDocument(before, { ...latest.scenario, results }));
  }
}
