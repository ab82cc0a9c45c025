import type { components } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pollEvery } from '../session/poll-every.js';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { formatShare } from '../ui/format-share.js';
import { Panel } from '../ui/panel.js';
import { Queried } from '../ui/queried.js';
import { formatsOf, useZone, zoneName } from '../ui/time-zone.js';
import { DurationPlot } from './duration-plot.js';
import { OutcomePlot } from './outcome-plot.js';
import { PERIODS, type Period, type StatsItem, spanOf, successRateOf } from './stats.js';
import styles from './stats.module.css';
import { StatsTable } from './stats-table.js';

type Stats = components['schemas']['DeliveryStats'];

const REFRESH_MS = 60_000;
const HOUR = {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const;
/** Days are counted in UTC. */
const DAY = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
/** Below the plots, where there is little room. */
const SHORT = {
  hour: formatsOf(() => HOUR),
  day: formatsOf(() => DAY),
};
const WITH_ZONE = {
  hour: formatsOf((zone) => ({ ...HOUR, timeZoneName: zone === 'utc' ? 'short' : 'shortOffset' })),
  day: formatsOf(() => ({ ...DAY, timeZoneName: 'short' })),
};

/** Deliveries by hour or day and outcome, and how long receivers take. */
export function StatsPanel() {
  const client = useClient();
  const [period, setPeriod] = useState<Period>('24h');
  const [isTable, setTable] = useState(false);
  const query = useQuery({
    queryKey: ['stats', period],
    queryFn: () => client.get('/stats', { params: { query: spanOf(period, new Date()) } }),
    refetchInterval: pollEvery(REFRESH_MS),
  });
  return (
    <Panel
      title={texts.stats.title}
      actions={
        <div className={styles.tools}>
          <Choice
            label={texts.stats.period}
            value={period}
            options={PERIODS.map((value) => ({ value, label: texts.stats.periods[value] }))}
            onChange={setPeriod}
          />
          <Button onPress={() => setTable(!isTable)}>
            {isTable ? texts.stats.asPlot : texts.stats.asTable}
          </Button>
        </div>
      }
    >
      <Queried query={query}>{(stats) => <ShownStats stats={stats} isTable={isTable} />}</Queried>
    </Panel>
  );
}

function ShownStats({
  stats: { items, step },
  isTable,
}: {
  readonly stats: Stats;
  readonly isTable: boolean;
}) {
  const zone = useZone();
  const timeOf = ({ start }: StatsItem) => WITH_ZONE[step][zone].format(new Date(start));
  const rate = successRateOf(items);
  if (isTable) return <StatsTable items={items} timeOf={timeOf} />;
  const marked = [items[0], items[Math.floor(items.length / 2)], items.at(-1)];
  const times = marked.flatMap((item) =>
    item === undefined ? [] : [SHORT[step][zone].format(new Date(item.start))],
  );
  return (
    <>
      <p>
        {rate === null ? texts.stats.noneEnded : texts.stats.accepted(formatShare(rate))}{' '}
        <span className={styles.zone}>{texts.stats.zone[step](zoneName(step === 'day' ? 'utc' : zone))}</span>
      </p>
      <div className={styles.plots}>
        <OutcomePlot items={items} times={times} timeOf={timeOf} />
        <DurationPlot items={items} times={times} />
      </div>
    </>
  );
}
