import type { ReactNode } from 'react';
import { texts } from '../texts/en.js';
import styles from './controls.module.css';
import { CopyButton } from './copy-button.js';

interface CopiedIdProps {
  readonly id: string;
  /** What the button copies, for example "Copy the trace id". */
  readonly label: string;
  /** Shows the id. */
  readonly children: ReactNode;
}

/** An id with a small button that copies it. */
export function CopiedId({ id, label, children }: CopiedIdProps) {
  return (
    <span className={styles.copied}>
      {children}
      <CopyButton look="quiet" text={id} label={label} shortLabel={texts.copy.short} />
    </span>
  );
}
