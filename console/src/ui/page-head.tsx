import { type ReactNode, useEffect } from 'react';
import { texts } from '../texts/en.js';
import styles from './panel.module.css';

interface PageHeadProps {
  readonly title: string;
  readonly subtitle?: ReactNode | undefined;
  readonly actions?: ReactNode;
}

/** The heading of a page. It also names the browser's tab. */
export function PageHead({ title, subtitle, actions }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`;
  }, [title]);
  return (
    <div className={styles.head}>
      <div>
        <h1>{title}</h1>
        {subtitle !== undefined && <p className={styles.subtitle}>{subtitle}</p>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
