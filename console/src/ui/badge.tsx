import styles from './badge.module.css';
import { classNames } from './class-names.js';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'hold';

interface BadgeProps {
  readonly tone: Tone;
  readonly children: string;
}

export function Badge({ tone, children }: BadgeProps) {
  return <span className={classNames(styles.badge, tone !== 'neutral' && styles[tone])}>{children}</span>;
}
