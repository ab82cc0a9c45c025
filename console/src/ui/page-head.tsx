import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { texts } from '../texts/en.js';
import styles from './panel.module.css';

interface PageHeadProps {
  readonly title: string;
  readonly subtitle?: ReactNode | undefined;
  readonly actions?: ReactNode;
}

/** The heading and the path of the page that had the focus last. The page that the browser opened keeps its own focus. */
let shown: { readonly heading: HTMLHeadingElement; readonly path: string } | null = null;

/** The heading of a page. It also names the browser's tab, and gets the focus when its page replaces another. */
export function PageHead({ title, subtitle, actions }: PageHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  useEffect(() => {
    document.title = `${title} · ${texts.product}`;
  }, [title]);
  useEffect(() => {
    if (heading.current === null) return;
    const isOther = shown !== null && (shown.heading !== heading.current || shown.path !== path);
    shown = { heading: heading.current, path };
    // A field of the page may have the focus already.
    if (isOther && !isFieldOfMain(document.activeElement)) heading.current.focus({ preventScroll: true });
  }, [path]);
  return (
    <div className={styles.head}>
      <div>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {subtitle !== undefined && <p className={styles.subtitle}>{subtitle}</p>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}

function isFieldOfMain(element: Element | null): boolean {
  return element?.matches('main input, main select, main textarea') ?? false;
}
