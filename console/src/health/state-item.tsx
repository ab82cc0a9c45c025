import type { ReactNode } from 'react';
import { texts } from '../texts/en.js';
import { Badge } from '../ui/badge.js';
import styles from './health.module.css';
import type { EndpointStateName } from './state-name.js';
import { STATE_TONES } from './state-tones.js';

interface StateItemProps {
  readonly state: EndpointStateName;
  /** Stands beside the state. */
  readonly title?: ReactNode;
  readonly reason: string;
  /** Stands below the reason. */
  readonly cause?: ReactNode;
  /** The next step. */
  readonly children?: ReactNode;
}

/** One state of an endpoint: why it is so, and what to do about it. An item of a `StateList`. */
export function StateItem({ state, title, reason, cause, children }: StateItemProps) {
  return (
    <li>
      <div className={styles.reason}>
        <div className={styles.line}>
          <Badge tone={STATE_TONES[state]}>{texts.endpoints.states[state]}</Badge>
          {title}
        </div>
        <p>{reason}</p>
        {cause}
      </div>
      {children !== undefined && <div className={styles.steps}>{children}</div>}
    </li>
  );
}

export function StateList({ children }: { readonly children: ReactNode }) {
  return <ul className={styles.list}>{children}</ul>;
}
