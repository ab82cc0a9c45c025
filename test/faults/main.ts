import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startGuard } from '#dev/processes/guard';
import { documentOf } from './document.js';
import { FAULTS } from './faults.js';
import { CommanderError, type Options, parseOptions } from './options.js';
import { addResults, merge, type Result, resultOf } from './results.js';
import { isGreen, runFault } from './run-fault.js';
import { tableOf } from './table.js';
import { startServers } from './world/servers.js';

const DOCUMENT = fileURLToPath(new URL('../../../docs/faults.md', import.meta.url));
const MOST_SEEDS = 100_000;
const SHOWN_VIOLATIONS = 12;

/** Runs what was asked for. @returns the exit code: 1 when anything was wrong */
async function runFaults({ seed, only, write, results: file }: Options): Promise<number> {
  console.log(`Seed ${seed}; the same again with --seed ${seed}`);
  const guard = startGuard();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
  const servers = await startServers(guard, console.log);
  let results: Result[] = [];
  let isAllGreen = true;
  try {
    for (const fault of FAULTS.filter(({ number }) => only.includes(number))) {
      const began = performance.now();
      const say = (line: string) =>
        console.log(`  ${((performance.now() - began) / 1_000).toFixed(1).padStart(5)} s  ${line}`);
      console.log(`\n${fault.number}. ${fault.name}`);
      const lacks = fault.lacks?.() ?? null;
      if (lacks !== null) {
        say(`left out: this machine has no ${lacks}`);
        continue;
      }
      const report = await runFault(fault, { servers, guard, seed, say });
      const result = [resultOf(report, seed, new Date())];
      results = file === null ? merge(results, result) : addResults(file, result);
      isAllGreen &&= isGreen(report);
      for (const { invariant, what } of report.violations.slice(0, SHOWN_VIOLATIONS))
        say(`${invariant}: ${what}`);
      if (report.violations.length > SHOWN_VIOLATIONS)
        say(`and ${report.violations.length - SHOWN_VIOLATIONS} more`);
      if (report.logs !== null) say(`the services' logs are in ${report.logs}`);
      say(isGreen(report) ? 'green' : 'RED');
    }
  } finally {
    await servers.stop();
    guard.close();
  }
  console.log(`\n${tableOf(results)}\n\nSeed ${seed}`);
  if (write) writeFileSync(DOCUMENT, documentOf(results));
  return isAllGreen ? 0 : 1;
}

try {
  process.exit(await runFaults(parseOptions(process.argv.slice(2), FAULTS, randomInt(MOST_SEEDS))));
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode;
}
