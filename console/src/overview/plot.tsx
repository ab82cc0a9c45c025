import type { ReactNode } from 'react';
import styles from './stats.module.css';

interface PlotProps {
  readonly label: string;
  /** The number of steps, each one unit wide. The height is 100 units. */
  readonly steps: number;
  /** What the upper end and the middle of the axis mean. */
  readonly axis: readonly [string, string];
  readonly times: readonly string[];
  readonly children: ReactNode;
}

/** The frame of a plot. Its colours are those of the theme, and it is as wide as its panel. */
export function Plot({ label, steps, axis: [top, middle], times, children }: PlotProps) {
  return (
    <div className={styles.plot}>
      <div className={styles.axis} aria-hidden="true">
        <span>{top}</span>
        <span>{middle}</span>
        <span>0</span>
      </div>
      <svg role="img" aria-label={label} viewBox={`0 0 ${steps} 100`} preserveAspectRatio="none">
        <path className={styles.grid} d={`M0 0H${steps}M0 50H${steps}M0 100H${steps}`} />
        {children}
      </svg>
      <div className={styles.times} aria-hidden="true">
        {times.map((time) => (
          <span key={time}>{time}</span>
        ))}
      </div>
    </div>
  );
}
