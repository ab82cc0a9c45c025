import type { ReactNode } from 'react';
import { classNames } from './class-names.js';
import styles from './panel.module.css';

interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
}

/** Says why a list is empty and what to do next. Screen readers announce it: often it is the answer to a filter or a button. */
export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div role="status" className={classNames(styles.panel, styles.message, styles.empty)}>
      <strong>{title}</strong>
      {children}
    </div>
  );
}
