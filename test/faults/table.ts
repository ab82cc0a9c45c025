import { isGreen, type Report } from './run-fault.js';

/** Events or deliveries that were accepted and did not come to their end. */
const lost = ({ violations }: Report) => violations.filter(({ invariant }) => invariant === 'I1').length;

function verdictOf(report: Report): string {
  if (isGreen(report)) return 'green';
  const broken = [...new Set(report.violations.map(({ invariant }) => invariant))];
  return `RED: ${broken.length > 0 ? broken.join(', ') : 'too slow to recover'}`;
}

function seconds(ms: number | null): string {
  return ms === null ? 'never' : `${(ms / 1_000).toFixed(1)} s`;
}

const HEAD =
  '| # | fault | events | deliveries | kills and freezes | lost | POSTs repeated | recovered after | verdict |';
const RULE = '|--:|---|--:|--:|--:|--:|--:|--:|---|';

/** As Markdown. */
export function tableOf(reports: readonly Report[]): string {
  const rows = reports.map((report) => {
    const { fault, events, deliveries, harm, repeatedPosts, recoveredAfterMs } = report;
    const cells = [
      fault.number,
      fault.name,
      events,
      deliveries,
      harm,
      lost(report),
      repeatedPosts,
      seconds(recoveredAfterMs),
      verdictOf(report),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [HEAD, RULE, ...rows].join('\n');
}
