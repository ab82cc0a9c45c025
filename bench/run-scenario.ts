import type { Bench } from './bench.js';
import type { Row } from './report/row.js';
import type { Scenario } from './scenarios/scenario.js';

/** A scenario and its rows, run by run. */
export interface ScenarioRuns {
  readonly scenario: Scenario;
  readonly runs: readonly (readonly Row[])[];
}

/** Runs one scenario as often as was asked for. */
export async function runScenario(bench: Bench, scenario: Scenario): Promise<ScenarioRuns> {
  const runs: Row[][] = [];
  for (let run = 1; run <= bench.options.runs; run += 1) {
    const prefix = `${scenario.name} ${run}/${bench.options.runs}`;
    const progress = (line: string) => bench.progress(`${prefix}: ${line}`);
    runs.push(await scenario.run({ ...bench, progress }));
  }
  return { scenario, runs };
}

export function hasMismatch({ runs }: ScenarioRuns): boolean {
  return runs.some((rows) => rows.some(({ mismatches }) => mismatches.length > 0));
}
