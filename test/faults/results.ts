import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Report } from './run-fault.js';

/** What is kept of one fault with one seed. */
export interface Result extends Omit<Report, 'fault' | 'logs'> {
  readonly number: number;
  readonly name: string;
  readonly seed: number;
  /** The day of the run, as in 2026-01-31. */
  readonly day: string;
}

export function resultOf({ fault, logs, ...report }: Report, seed: number, at: Date): Result {
  return { number: fault.number, name: fault.name, seed, day: at.toISOString().slice(0, 10), ...report };
}

/** Both together, by fault and seed; a later result takes the place of an earlier one. */
export function merge(earlier: readonly Result[], later: readonly Result[]): Result[] {
  const all = new Map([...earlier, ...later].map((result) => [`${result.number}/${result.seed}`, result]));
  return [...all.values()].sort((a, b) => a.number - b.number || a.seed - b.seed);
}

/** Adds results to those of a file, so that several runs make one table. @returns all that it holds now */
export function addResults(file: string, later: readonly Result[]): Result[] {
  const earlier = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Result[]) : [];
  const all = merge(earlier, later);
  writeFileSync(file, `${JSON.stringify(all, null, 1)}\n`);
  return all;
}
