import type { ReactNode } from 'react';
import styles from './data-table.module.css';

interface TwoLinesProps {
  readonly first: ReactNode;
  /** Left out when there is nothing. */
  readonly second: ReactNode;
}

/** The content of a cell that has something less important below it. */
export function TwoLines({ first, second }: TwoLinesProps) {
  return (
    <>
      {first}
      {second !== null && second !== '' && <div className={styles.second}>{second}</div>}
    </>
  );
}
