import { Label } from 'react-aria-components/Label';
import { ProgressBar } from 'react-aria-components/ProgressBar';
import styles from './progress.module.css';

interface ProgressProps {
  readonly label: string;
  /** From 0 to 100; null while it is not known. */
  readonly percent: number | null;
  readonly detail: string;
}

export function Progress({ label, percent, detail }: ProgressProps) {
  return (
    <ProgressBar
      className={styles.progress ?? ''}
      valueLabel={detail}
      {...(percent === null ? { isIndeterminate: true } : { value: percent })}
    >
      <div className={styles.head}>
        <Label>{label}</Label>
        <span>{detail}</span>
      </div>
      <svg aria-hidden="true" className={styles.track} viewBox="0 0 100 4" preserveAspectRatio="none">
        <rect className={styles.bar} width={percent ?? 30} height="4" />
      </svg>
    </ProgressBar>
  );
}
