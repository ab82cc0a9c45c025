import { texts } from '../texts/en.js';
import { Legend } from './legend.js';
import { Plot } from './plot.js';
import { axisEnd, OUTCOMES, type StatsItem, segmentsOf, sumOf, totalOf } from './stats.js';
import styles from './stats.module.css';

interface OutcomePlotProps {
  readonly items: readonly StatsItem[];
  readonly times: readonly string[];
  timeOf(item: StatsItem): string;
}

/** More bars than that would be thinner than the gaps between them. */
const MAX_SPACED = 48;

/** Deliveries by step and outcome, stacked. */
export function OutcomePlot({ items, times, timeOf }: OutcomePlotProps) {
  const end = axisEnd(Math.max(0, ...items.map(totalOf)));
  const gap = items.length > MAX_SPACED ? 0 : 0.12;
  const shown = OUTCOMES.filter((outcome) => outcome === 'delivered' || sumOf(items, outcome) > 0);
  const sums = shown.map((outcome) => [outcome, texts.stats.count(sumOf(items, outcome))] as const);
  return (
    <figure className={styles.figure}>
      <Legend items={sums.map(([outcome, sum]) => [outcome, texts.stats.outcomes[outcome], sum])} />
      <Plot
        label={sums.map(([outcome, sum]) => `${texts.stats.outcomes[outcome]}: ${sum}`).join(', ')}
        steps={items.length}
        axis={[texts.stats.count(end), end > 1 ? texts.stats.count(end / 2) : '']}
        times={times}
      >
        {items.map((item, index) => (
          <g key={item.start} className={styles.step}>
            <title>{`${timeOf(item)}: ${describe(item)}`}</title>
            <rect className={styles.area} x={index} y={0} width={1} height={100} />
            {segmentsOf(item).map(({ outcome, below, count }) => (
              <rect
                key={outcome}
                className={styles[outcome]}
                x={index + gap}
                y={100 - (100 * (below + count)) / end}
                width={1 - 2 * gap}
                height={(100 * count) / end}
              />
            ))}
          </g>
        ))}
      </Plot>
    </figure>
  );
}

function describe(item: StatsItem): string {
  return segmentsOf(item)
    .map(({ outcome, count }) => `${texts.stats.outcomes[outcome]} ${texts.stats.count(count)}`)
    .join(', ');
}
