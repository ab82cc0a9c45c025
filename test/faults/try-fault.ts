import type { Fault } from './fault.js';
import { leftOut, type Result, resultOf } from './results.js';
import { isGreen, type Report, runFault, type Setting } from './run-fault.js';

const SHOWN_VIOLATIONS = 12;

/** Goes through a fault and tells of it. */
export async function tryFault(fault: Fault, setting: Omit<Setting, 'say'>): Promise<Result> {
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
