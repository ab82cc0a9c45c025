import type { ReactNode } from 'react';
import styles from './panel.module.css';

interface PanelProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A titled part of a page. */
export function Panel({ title, actions, children }: PanelProps) {
  return (
    <section className={styles.panel} aria-label={title} tabIndex={-1}>
      <div className={styles.panelHead}>
        <h2>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}
