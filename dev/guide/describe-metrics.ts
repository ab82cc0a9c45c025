import { METRICS } from '@postrider/shared/metrics/catalog';

const BEGIN = '<!-- metrics: written by "npm run generate:guide" -->';
const END = '<!-- end of metrics -->';

/** @returns the guide with the table of metrics as they are declared, between its two marks */
export function completeMetrics(guide: string): string {
  const [before, rest = ''] = guide.split(BEGIN);
  const [, after] = rest.split(END);
  if (after === undefined) throw new Error('the guide has no place for the table of metrics');
  return `${before}${BEGIN}\n${metricsTable()}\n${END}${after}`;
}

function metricsTable(): string {
  const rows = Object.entries(METRICS).map(([name, { kind, from, labels, help }]) => {
    const shown = labels.map((label) => `\`${label}\``).join(', ');
    return `| \`${name}\` | ${kind} | ${shown} | ${from.join(', ')} | ${help} |`;
  });
  return ['| metric | kind | labels | told by | meaning |', '|---|---|---|---|---|', ...rows].join('\n');
}
