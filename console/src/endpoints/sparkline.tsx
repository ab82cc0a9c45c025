import type { components } from '@postrider/client';
import { texts } from '../texts/en.js';
import styles from './endpoints.module.css';

type Hour = components['schemas']['EndpointHour'];

const HEIGHT = 28;
const GAP = 0.15;
/** An hour with few deliveries beside one with many stays visible. */
const LEAST = 2;

/** Deliveries of an endpoint by hour, the failed ones on top. */
export function Sparkline({ hours }: { readonly hours: readonly Hour[] }) {
  const most = Math.max(1, ...hours.map(({ delivered, failed }) => delivered + failed));
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(LEAST, (count / most) * (HEIGHT - 1)));
  const sum = (name: 'delivered' | 'failed') => hours.reduce((total, hour) => total + hour[name], 0);
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${hours.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={texts.endpoints.lastDay(sum('delivered'), sum('failed'))}
    >
      <rect className={styles.baseline} x={0} y={HEIGHT - 1} width={hours.length} height={1} />
      {hours.map(({ start, delivered, failed }, index) => {
        const whole = Math.min(HEIGHT - 1, heightOf(delivered) + heightOf(failed));
        const bar = { x: index + GAP, width: 1 - 2 * GAP };
        return (
          <g key={start}>
            <rect className={styles.delivered} {...bar} y={HEIGHT - whole} height={whole} />
            <rect className={styles.failed} {...bar} y={HEIGHT - whole} height={heightOf(failed)} />
          </g>
        );
      })}
    </svg>
  );
}
