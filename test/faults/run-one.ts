import { FAULTS } from './catalogue/all.js';
import type { Fault } from './fault.js';
import type { Result } from './results.js';
import { isGreen, type Outcome, runFault } from './run-fault.js';
import { startServers } from './world/servers.js';

/*
 * Runs one fault with separate servers: `run-one.js <number> <seed>`. Sends the result to the process that forked it.
 */

const SHOWN_VIOLATIONS = 12;
const began = performance.now();

function log(line: string): void {
  console.log(`${((performance.now() - began) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
}

function logOutcome(outcome: Outcome): void {
  const { violations } = outcome;
  for (const { invariant, what } of violations.slice(0, SHOWN_VIOLATIONS)) log(`${invariant}: ${what}`);
  if (violations.length > SHOWN_VIOLATIONS) log(`and ${violations.length - SHOWN_VIOLATIONS} more`);
  log(isGreen(outcome) ? 'green' : 'RED');
}

async function run(fault: Fault, seed: number): Promise<Result> {
  const { number, name } = fault;
  const day = new Date().toISOString().slice(0, 10);
  const missing = fault.missing?.() ?? null;
  console.log(name);
  if (missing !== null) {
    log(`not run: this machine has no ${missing}`);
    return { number, name, seed, day, outcome: null, missing };
  }
  const servers = await startServers(log, fault);
  try {
    const outcome = await runFault(fault, { servers, seed, log });
    logOutcome(outcome);
    return { number, name, seed, day, outcome, missing };
  } finally {
    await servers.stop();
  }
}

const [number, seed] = process.argv.slice(2).map(Number);
const fault = FAULTS.find((one) => one.number === number);
if (fault === undefined || seed === undefined || process.send === undefined)
  throw new Error('run-one.js is forked by the fault suite, with the number of a fault and a seed');
// The parent process has ended.
process.on('disconnect', () => process.exit(130));
process.send(await run(fault, seed), () => process.exit());
