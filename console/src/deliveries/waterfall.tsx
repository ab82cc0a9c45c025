import type { components } from '@postrider/client';
import { texts } from '../texts/en.js';
import { formatMs } from '../ui/format-ms.js';
import { phasesOf, totalOf } from './attempt-phases.js';
import styles from './attempt-timeline.module.css';

interface WaterfallProps {
  readonly attempt: Pick<components['schemas']['DeliveryAttempt'], 'timings' | 'durationMs'>;
  readonly longestMs: number;
}

/** How long each phase of an attempt took, beside the other attempts. */
export function Waterfall({ attempt, longestMs }: WaterfallProps) {
  const phases = attempt.timings === null ? [] : phasesOf(attempt.timings, longestMs);
  return (
    <div className={styles.waterfall}>
      <svg aria-hidden="true" viewBox="0 0 100 8" preserveAspectRatio="none">
        <rect className={styles.total} width={totalOf(attempt, longestMs)} height="8" />
        {phases.map(({ name, from, width }) => (
          <rect key={name} className={styles[name]} x={from} width={width} height="8" />
        ))}
      </svg>
      <ul>
        {phases.map(({ name, ms }) => (
          <li key={name}>
            <span className={`${styles.dot} ${styles[name]}`} aria-hidden="true" />
            {texts.delivery.phases[name]} {formatMs(ms)}
          </li>
        ))}
      </ul>
    </div>
  );
}
