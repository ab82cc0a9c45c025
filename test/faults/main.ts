import { fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { FAULTS } from './catalogue/all.js';
import type { Fault } from './fault.js';
import { CommanderError, type Options, parseOptions } from './options.js';
import type { Result } from './results.js';
import { faultsWithTooFewSeeds, mergeResults, saveResults, tableOf, updatePage } from './results.js';
import { isGreen } from './run-fault.js';

const PAGE = fileURLToPath(new URL('../../../docs/faults.md', import.meta.url));
const RUN_ONE = fileURLToPath(new URL('./run-one.js', import.meta.url));
const SEED_LIMIT = 100_000;
const REQUIRED_SEEDS = 3;

/** @returns the exit code: 1 if a fault was red or not run, or the page could not be written */
async function runFaults({ seed, only, lanes, write, results: file }: Options): Promise<number> {
  console.log(`Seed ${seed}; repeat this run with --seed ${seed}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
  let results: Result[] = [];
  let isAllGreen = true;
  const faults = FAULTS.filter(({ number }) => only.includes(number));
  const run = async ({ number }: Fault) => {
    const result = await runInProcess(number, seed).catch((error: Error) => {
      console.error(error.message);
      return null;
    });
    if (result === null) {
      isAllGreen = false;
      return;
    }
    results = file === null ? mergeResults(results, [result]) : saveResults(file, [result]);
    isAllGreen &&= result.outcome !== null && isGreen(result.outcome);
  };
  const { parallel = [], alone = [] } = Object.groupBy(faults, ({ healthy }) =>
    healthy ? 'alone' : 'parallel',
  );
  await pLimit(lanes).map(parallel, run);
  // They compare speeds: other faults would disturb them.
  await pLimit(1).map(alone, run);
  console.log(`\n${tableOf(results)}\n\nSeed ${seed}`);
  const isWritten = !write || writePage(results);
  return isAllGreen && isWritten ? 0 : 1;
}

/** Runs a fault in a process with separate servers; prefixes its output with the number of the fault. */
async function runInProcess(number: number, seed: number): Promise<Result> {
  const child = fork(RUN_ONE, [String(number), String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let result: Result | undefined;
  child.on('message', (message) => {
    result = message as Result;
  });
  const exited = new Promise<string>((resolve) =>
    child.on('exit', (code, signal) => resolve(signal ?? `exit code ${code}`)),
  );
  const input = child.stdout;
  if (input !== null)
    for await (const line of createInterface({ input }))
      console.log(`${String(number).padStart(2)} | ${line}`);
  const exit = await exited;
  if (result === undefined) throw new Error(`fault ${number} ended without a result (${exit})`);
  return result;
}

/** @returns whether it was written: a table with gaps would look complete */
function writePage(results: readonly Result[]): boolean {
  const gaps = faultsWithTooFewSeeds(FAULTS, results, REQUIRED_SEEDS);
  if (gaps.length === 0) writeFileSync(PAGE, updatePage(readFileSync(PAGE, 'utf8'), results));
  else console.error(`docs/faults.md is not written:\n  ${gaps.join('\n  ')}`);
  return gaps.length === 0;
}

try {
  process.exit(await runFaults(parseOptions(process.argv.slice(2), FAULTS, randomInt(SEED_LIMIT))));
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode;
}
