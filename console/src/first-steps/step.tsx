import type { ReactNode } from 'react';
import { Icon } from '../ui/icon.js';
import styles from './first-steps.module.css';

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly state: 'done' | 'current' | 'later';
  readonly children: ReactNode;
}

/** One step of a guided path. A later step shows its title only. */
export function Step({ number, title, state, children }: StepProps) {
  return (
    <li className={styles.step} data-state={state} {...(state === 'current' && { 'aria-current': 'step' })}>
      <span className={styles.number} aria-hidden="true">
        {state === 'done' ? <Icon name="check" /> : number}
      </span>
      <div className={styles.content}>
        <h2>{title}</h2>
        {state !== 'later' && children}
      </div>
    </li>
  );
}
