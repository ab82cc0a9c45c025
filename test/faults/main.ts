import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startGuard } from '#dev/processes/guard';
import { documentOf } from './document.js';
import type { Fault } from './fault.js';
import { FAULTS } from './faults.js';
import { CommanderError, type Options, parseOptions } from './options.js';
import { addResults, leftOut, merge, type Result, resultOf, tooFewSeeds } from './results.js';
import { isGreen, type Report, runFault, type Setting } from './run-fault.js';
import { tableOf } from './table.js';
import { startServers } from './world/servers.js';

const DOCUMENT = fileURLToPath(new URL('../../../docs/faults.md', import.meta.url));
const MOST_SEEDS = 100_000;
const WANTED_SEEDS = 3;
const SHOWN_VIOLATIONS = 12;

/** Runs what was asked for. @returns the exit code: 1 when anything was wrong, left out, or not written */
async function runFaults({ seed, only, write, results: file }: Options): Promise<number> {
  console.log(`Seed ${seed}; the same again with --seed ${seed}`);
  const guard = startGuard();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
  const servers = await startServers(guard, console.log);
  let results: Result[] = [];
  let isAllGreen = true;
  try {
    for (const fault of FAULTS.filter(({ number }) => only.includes(number))) {
      const result = await tryFault(fault, { servers, guard, seed });
      results = file === null ? merge(results, [result]) : addResults(file, [result]);
      isAllGreen &&= result.kind === 'judged' && isGreen(result);
    }
  } finally {
    await servers.stop();
    guard.close();
  }
  console.log(`\n${tableOf(results)}\n\nSeed ${seed}`);
  const isWritten = !write || writeDocument(results);
  return isAllGreen && isWritten ? 0 : 1;
}

/** Goes through a fault and tells of it. */
async function tryFault(fault: Fault, setting: Omit<Setting, 'say'>): Promise<Result> {
  const began = performance.now();
  const say = (line: string) =>
    console.log(`  ${((performance.now() - began) / 1_000).toFixed(1).padStart(5)} s  ${line}`);
  console.log(`\n${fault.number}. ${fault.name}`);
  const run = { seed: setting.seed, at: new Date() };
  const lacks = fault.lacks?.() ?? null;
  if (lacks !== null) {
    say(`left out: this machine has no ${lacks}`);
    return leftOut(fault, lacks, run);
  }
  const report = await runFault(fault, { ...setting, say });
  tell(report, say);
  return resultOf(report, run);
}

function tell(report: Report, say: Setting['say']): void {
  const { violations, logs } = report;
  for (const { invariant, what } of violations.slice(0, SHOWN_VIOLATIONS)) say(`${invariant}: ${what}`);
  if (violations.length > SHOWN_VIOLATIONS) say(`and ${violations.length - SHOWN_VIOLATIONS} more`);
  if (logs !== null) say(`the services' logs are in ${logs}`);
  say(isGreen(report) ? 'green' : 'RED');
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
