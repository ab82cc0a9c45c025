import { cpus } from 'node:os';
import type { Result } from './results.js';
import { isGreen, type Outcome } from './run-fault.js';

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
