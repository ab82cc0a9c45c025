import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Fault } from './fault.js';
import type { Outcome } from './run-fault.js';

/** What is stored of a fault that was run with a seed. */
export interface Result {
  readonly number: number;
  readonly name: string;
  readonly seed: number;
  /** The day of the run, such as 2026-01-31. */
  readonly day: string;
  /** Null if this machine cannot run the fault. */
  readonly outcome: Outcome | null;
  /** What the machine does not have for the fault. */
  readonly missing: string | null;
}

/** Joins results; a later one replaces an earlier one of the same fault and seed. */
export function mergeResults(earlier: readonly Result[], later: readonly Result[]): Result[] {
  const all = new Map([...earlier, ...later].map((result) => [`${result.number}/${result.seed}`, result]));
  return [...all.values()].sort((a, b) => a.number - b.number || a.seed - b.seed);
}

/** Adds results to those in a file, which it creates. @returns all */
export function saveResults(file: string, results: readonly Result[]): Result[] {
  const earlier = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Result[]) : [];
  const all = mergeResults(earlier, results);
  writeFileSync(file, `${JSON.stringify(all, null, 1)}\n`);
  return all;
}

/** @returns a sentence for each fault with too few seeds */
export function faultsWithTooFewSeeds(
  faults: readonly Pick<Fault, 'number'>[],
  results: readonly Result[],
  required: number,
): readonly string[] {
  return faults.flatMap(({ number }) => {
    const { length } = results.filter((result) => result.number === number && result.outcome !== null);
    return length >= required ? [] : [`fault ${number} was run with ${length} of ${required} seeds`];
  });
}
