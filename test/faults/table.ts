import type { Result } from './results.js';
import { isGreen } from './run-fault.js';

/** Events or deliveries that were accepted and did not come to their end. */
const lost = ({ violations }: Result) => violations.filter(({ invariant }) => invariant === 'I1').length;

function verdictOf(results: readonly Result[]): string {
  const red = results.filter((result) => !isGreen(result));
  if (red.length === 0)
    return results.length === 1 ? 'green' : `green, ${results.length} of ${results.length}`;
  return `RED: ${red.map((result) => `seed ${result.seed} ${whatBroke(result)}`).join('; ')}`;
}

function whatBroke({ violations }: Result): string {
  const broken = [...new Set(violations.map(({ invariant }) => invariant))];
  return broken.length > 0 ? broken.join(', ') : 'too slow to recover';
}

function seconds({ recoveredAfterMs }: Result): string {
  return recoveredAfterMs === null ? 'never' : `${(recoveredAfterMs / 1_000).toFixed(1)}`;
}

const sum = (results: readonly Result[], of: (result: Result) => number) =>
  results.reduce((total, result) => total + of(result), 0);

const HEAD =
  '| # | fault | events | deliveries | kills and freezes | lost | POSTs repeated | recovered after, s | verdict |';
const RULE = '|--:|---|--:|--:|--:|--:|--:|--:|---|';

/** As Markdown: a row for each fault, its seeds added up; recovery stands there for each of them. */
export function tableOf(results: readonly Result[]): string {
  const rows = [...Map.groupBy(results, ({ number }) => number)].map(([number, ofFault]) => {
    const cells = [
      number,
      ofFault[0]?.name,
      sum(ofFault, ({ events }) => events),
      sum(ofFault, ({ deliveries }) => deliveries),
      sum(ofFault, ({ harm }) => harm),
      sum(ofFault, lost),
      sum(ofFault, ({ repeatedPosts }) => repeatedPosts),
      ofFault.map(seconds).join(' · '),
      verdictOf(ofFault),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [HEAD, RULE, ...rows].join('\n');
}
