import { texts } from '../texts/en.js';
import { type Column, DataTable } from '../ui/data-table.js';
import { formatMs } from '../ui/format-ms.js';
import { OUTCOMES, type StatsItem } from './stats.js';

interface StatsTableProps {
  readonly items: readonly StatsItem[];
  timeOf(item: StatsItem): string;
}

/** The numbers of the plots, the latest first. */
export function StatsTable({ items, timeOf }: StatsTableProps) {
  const columns: readonly Column<StatsItem>[] = [
    { title: texts.stats.time, cell: timeOf },
    ...OUTCOMES.map((outcome) => ({
      title: texts.stats.outcomes[outcome],
      cell: (item: StatsItem) => texts.stats.count(item[outcome]),
    })),
    { title: texts.stats.attempts, cell: ({ attempts }) => texts.stats.count(attempts) },
    { title: texts.stats.p50, cell: ({ latencyMs }) => latencyMs && formatMs(latencyMs.p50) },
    { title: texts.stats.p95, cell: ({ latencyMs }) => latencyMs && formatMs(latencyMs.p95) },
  ];
  return (
    <DataTable
      label={texts.stats.title}
      columns={columns}
      rows={items.toReversed()}
      keyOf={({ start }) => start}
    />
  );
}
