import { texts } from '../texts/en.js';
import { formatMs } from '../ui/format-ms.js';
import { Legend } from './legend.js';
import { Plot } from './plot.js';
import { axisEnd, latestDurations, linePath, type StatsItem } from './stats.js';
import styles from './stats.module.css';

const PERCENTILES = ['p50', 'p95'] as const;

/** How long receivers take, by step. */
export function DurationPlot({
  items,
  times,
}: {
  readonly items: readonly StatsItem[];
  readonly times: readonly string[];
}) {
  const latest = latestDurations(items);
  if (latest === null) return null;
  const end = axisEnd(Math.max(...items.map(({ latencyMs }) => latencyMs?.p95 ?? 0)));
  const legend = PERCENTILES.map(
    (name) => [name, texts.stats.percentiles[name], formatMs(latest[name])] as const,
  );
  return (
    <figure className={styles.figure}>
      <Legend items={legend} />
      <Plot
        label={legend.map(([, name, value]) => `${name} ${value}`).join(', ')}
        steps={items.length}
        axis={[formatMs(end), formatMs(end / 2)]}
        times={times}
      >
        {PERCENTILES.map((name) => (
          <path
            key={name}
            className={`${styles.line} ${styles[`${name}Line`]}`}
            d={linePath(
              items.map(({ latencyMs }) => latencyMs?.[name] ?? null),
              end,
            )}
          />
        ))}
      </Plot>
    </figure>
  );
}
