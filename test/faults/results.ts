import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Fault } from './fault.js';
import type { Report } from './run-fault.js';

interface About {
  readonly number: number;
  readonly name: string;
  readonly seed: number;
  /** The day of the run, as in 2026-01-31. */
  readonly day: string;
}

/** A fault that was gone through. */
export interface Judged extends About, Omit<Report, 'fault' | 'logs'> {
  readonly kind: 'judged';
}

/** A fault that this machine could not be given. */
export interface LeftOut extends About {
  readonly kind: 'left out';
  /** What the machine has not. */
  readonly lacks: string;
}

/** What is kept of one fault with one seed. */
export type Result = Judged | LeftOut;

/** Whose run it was. */
export interface Run {
  readonly seed: number;
  readonly at: Date;
}

const about = ({ number, name }: Fault, { seed, at }: Run): About => {
  return { number, name, seed, day: at.toISOString().slice(0, 10) };
};

export function resultOf({ fault, logs, ...report }: Report, run: Run): Judged {
  return { kind: 'judged', ...about(fault, run), ...report };
}

export function leftOut(fault: Fault, lacks: string, run: Run): LeftOut {
  return { kind: 'left out', ...about(fault, run), lacks };
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

/** @returns each fault that was not judged with so many seeds, in words */
export function tooFewSeeds(
  faults: readonly Pick<Fault, 'number'>[],
  results: readonly Result[],
  wanted: number,
): readonly string[] {
  return faults.flatMap(({ number }) => {
    const judged = results.filter((result) => result.number === number && result.kind === 'judged').length;
    return judged >= wanted ? [] : [`fault ${number} was judged with ${judged} of ${wanted} seeds`];
  });
}
