import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Fault } from './fault.js';
import { isGreen, type Outcome } from './run-fault.js';

/** The stored result of a fault that was run with a seed. */
export interface Result {
  readonly number: number;
  readonly name: string;
  readonly seed: number;
  /** The day of the run, such as 2026-01-31. */
  readonly day: string;
  /** Null if this machine cannot run the fault. */
  readonly outcome: Outcome | null;
  /** What the machine lacks for the fault. */
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

const sum = (outcomes: readonly Outcome[], count: (outcome: Outcome) => number) =>
  outcomes.reduce((total, outcome) => total + count(outcome), 0);
const outcomesOf = (results: readonly Result[]) => results.flatMap(({ outcome }) => outcome ?? []);

function problemOf({ outcome, missing }: Result): string | null {
  if (outcome === null) return `not run, no ${missing}`;
  if (isGreen(outcome)) return null;
  const violated = [...new Set(outcome.violations.map(({ invariant }) => invariant))];
  return violated.length > 0 ? violated.join(', ') : 'recovered too slowly';
}

function verdictOf(results: readonly Result[]): string {
  const problems = results.flatMap((result) => {
    const problem = problemOf(result);
    return problem === null ? [] : `seed ${result.seed} ${problem}`;
  });
  const isRed = outcomesOf(results).some((outcome) => !isGreen(outcome));
  if (problems.length > 0) return `${isRed ? 'RED: ' : ''}${problems.join('; ')}`;
  return results.length === 1 ? 'green' : `green, ${results.length} of ${results.length}`;
}

const lostIn = ({ violations }: Outcome) => violations.filter(({ invariant }) => invariant === 'I1').length;
const secondsOf = ({ recoveredAfterMs }: Outcome) =>
  recoveredAfterMs === null ? 'never' : (recoveredAfterMs / 1_000).toFixed(1);
const loadOf = ({ load: { rate, endpoints } }: Outcome) => `${rate} × ${endpoints}`;

/** A Markdown table with a row per fault. */
export function tableOf(results: readonly Result[]): string {
  const rows = [...Map.groupBy(results, ({ number }) => number)].map(([number, ofFault]) => {
    const outcomes = outcomesOf(ofFault);
    const cells = [
      number,
      ofFault[0]?.name,
      [...new Set(outcomes.map(loadOf))].join(' · '),
      sum(outcomes, ({ kills }) => kills),
      sum(outcomes, lostIn),
      sum(outcomes, ({ repeatedPosts }) => repeatedPosts),
      outcomes.map(secondsOf).join(' · '),
      verdictOf(ofFault),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return `| # | fault | load | kills | lost | repeated | recovery time, s | verdict |
|--:|---|--:|--:|--:|--:|--:|---|
${rows.join('\n')}`;
}

const SECTION = /(?<=<!-- results -->\n).*(?=<!-- end of results -->)/s;

/** Replaces the results in docs/faults.md. */
export function updatePage(page: string, results: readonly Result[]): string {
  const seeds = [...new Set(results.map(({ seed }) => seed))].sort((a, b) => a - b);
  const days = [...new Set(results.map(({ day }) => day))].sort();
  const processors = cpus();
  const outcomes = outcomesOf(results);
  const total = (count: (outcome: Outcome) => number) => sum(outcomes, count).toLocaleString('en');
  const text = `
${tableOf(results)}

- Accepted events: ${total(({ events }) => events)}, which led to ${total(({ deliveries }) => deliveries)} deliveries.
- Calls during the faults: ${total(({ calls }) => calls.all)}, of which ${total(({ calls }) => calls.accepted)} were accepted.
- Seeds ${seeds.join(', ')}; ${days.join(', ')}; ${processors.length} × ${processors[0]?.model.trim() ?? 'unknown processor'}, everything on one machine.

`;
  return page.replace(SECTION, () => text);
}
