import type { ReactNode } from 'react';
import styles from './stats.module.css';

interface LegendProps {
  /** The colour's class, the name and the value. */
  readonly items: readonly (readonly [string, string, ReactNode])[];
}

export function Legend({ items }: LegendProps) {
  return (
    <figcaption className={styles.legend}>
      {items.map(([colour, name, value]) => (
        <span key={colour} className={styles.entry}>
          <svg className={styles.key} viewBox="0 0 10 10" aria-hidden="true">
            <rect className={styles[colour]} width={10} height={10} rx={2} />
          </svg>
          {name} <strong>{value}</strong>
        </span>
      ))}
    </figcaption>
  );
}
