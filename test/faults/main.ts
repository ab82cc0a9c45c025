import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { documentOf } from './document.js';
import type { Fault } from './fault.js';
import { FAULTS } from './faults.js';
import { forkLane } from './lanes/fork-lane.js';
import { inLanes } from './lanes/in-lanes.js';
import { CommanderError, type Options, parseOptions } from './options.js';
import { addResults, merge, type Result, tooFewSeeds } from './results.js';
import { isGreen } from './run-fault.js';
import { tableOf } from './table.js';
import { tryFault } from './try-fault.js';
import { withServers } from './with-servers.js';

const DOCUMENT = fileURLToPath(new URL('../../../docs/faults.md', import.meta.url));
const MOST_SEEDS = 100_000;
const WANTED_SEEDS = 3;

/** Runs what was asked for. @returns the exit code: 1 when anything was wrong, left out, or not written */
async function runFaults(options: Options): Promise<number> {
  const { seed, write, results: file } = options;
  console.log(`Seed ${seed}; the same again with --seed ${seed}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
  let results: Result[] = [];
  let isAllGreen = true;
  await tryAll(options, (result) => {
    results = file === null ? merge(results, [result]) : addResults(file, [result]);
    isAllGreen &&= result.kind === 'judged' && isGreen(result);
  });
  console.log(`\n${tableOf(results)}\n\nSeed ${seed}`);
  const isWritten = !write || writeDocument(results);
  return isAllGreen && isWritten ? 0 : 1;
}

/** Goes through the faults that were asked for. @param keep is given each result at once */
async function tryAll({ seed, only, lanes }: Options, keep: (result: Result) => void): Promise<void> {
  const faults = FAULTS.filter(({ number }) => only.includes(number));
  const aside = async (fault: Fault) => keep(await forkLane(fault, seed));
  if (lanes > 1) return inLanes(faults, lanes, aside);
  return withServers(async (held) => {
    for (const fault of faults) keep(await tryFault(fault, { ...held, seed }));
  });
}

/** @returns whether it was written: a table with gaps would pass for the whole */
function writeDocument(results: readonly Result[]): boolean {
  const gaps = tooFewSeeds(FAULTS, results, WANTED_SEEDS);
  if (gaps.length === 0) writeFileSync(DOCUMENT, documentOf(results));
  else console.error(`docs/faults.md is not written:\n${gaps.map((gap) => `  ${gap}`).join('\n')}`);
  return gaps.length === 0;
}

try {
  process.exit(await runFaults(parseOptions(process.argv.slice(2), FAULTS, randomInt(MOST_SEEDS))));
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode;
}
