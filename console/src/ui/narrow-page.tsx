import type { ReactNode } from 'react';
import styles from './panel.module.css';

/** A page for people without a session: a few lines in the middle. */
export function NarrowPage({ children }: { readonly children: ReactNode }) {
  return <div className={styles.narrow}>{children}</div>;
}
