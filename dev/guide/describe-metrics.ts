import { METRICS } from '@postrider/shared/metrics/catalog';

const HEAD = '| metric | kind | labels | exported by | meaning |\n|---|---|---|---|---|';

/** The table of metrics, from their declarations. */
export function metricsTable(): string {
  const rows = Object.entries(METRICS).map(([name, { kind, from, labels, help }]) => {
    const shown = labels.map((label) => `\`${label}\``).join(', ');
    return `| \`${name}\` | ${kind} | ${shown} | ${from.join(', ')} | ${help} |`;
  });
  return [HEAD, ...rows].join('\n');
}
