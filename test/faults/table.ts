import type { Judged, Result } from './results.js';
import { isGreen } from './run-fault.js';

/** Events or deliveries that were accepted and did not come to their end. */
const lost = ({ violations }: Judged) => violations.filter(({ invariant }) => invariant === 'I1').length;

function verdictOf(results: readonly Result[]): string {
  const bad = results.filter((result) => result.kind === 'left out' || !isGreen(result));
  if (bad.length === 0)
    return results.length === 1 ? 'green' : `green, ${results.length} of ${results.length}`;
  const reasons = bad.map((result) => `seed ${result.seed} ${reasonOf(result)}`).join('; ');
  return bad.every(({ kind }) => kind === 'left out') ? reasons : `RED: ${reasons}`;
}

function reasonOf(result: Result): string {
  if (result.kind === 'left out') return `left out, no ${result.lacks}`;
  const broken = [...new Set(result.violations.map(({ invariant }) => invariant))];
  return broken.length > 0 ? broken.join(', ') : 'too slow to recover';
}

function seconds({ recoveredAfterMs }: Judged): string {
  return recoveredAfterMs === null ? 'never' : `${(recoveredAfterMs / 1_000).toFixed(1)}`;
}

function loadsOf(results: readonly Judged[]): string {
  const loads = results.map(({ load: { rate, endpoints } }) => `${rate} × ${endpoints}`);
  return [...new Set(loads)].join(' · ');
}

/** How much of something there was in all of them. */
export const sum = (results: readonly Judged[], of: (result: Judged) => number) =>
  results.reduce((total, result) => total + of(result), 0);

export const judgedOf = (results: readonly Result[]) => results.filter((result) => result.kind === 'judged');

const HEAD = '| # | fault | load | kills | lost | duplicates | recovery time, s | verdict |';
const RULE = '|--:|---|--:|--:|--:|--:|--:|---|';

/** As Markdown: a row for each fault, its seeds added up; recovery stands there for each of them. */
export function tableOf(results: readonly Result[]): string {
  const rows = [...Map.groupBy(results, ({ number }) => number)].map(([number, ofFault]) => {
    const judged = judgedOf(ofFault);
    const cells = [
      number,
      ofFault[0]?.name,
      loadsOf(judged),
      sum(judged, ({ harm }) => harm),
      sum(judged, lost),
      sum(judged, ({ repeatedPosts }) => repeatedPosts),
      judged.map(seconds).join(' · '),
      verdictOf(ofFault),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [HEAD, RULE, ...rows].join('\n');
}
