import { useMatch } from '@tanstack/react-router';
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
  // Not that of the location, which changes when a navigation starts: the page is still the one before.
  const path = useMatch({ strict: false, select: ({ pathname }) => pathname });
  useEffect(() => {
    document.title = `${title} · ${texts.product}`;
  }, [title]);
  useEffect(() => {
    if (heading.current === null) return;
    const isOther = shown !== null && (shown.heading !== heading.current || shown.path !== path);
    shown = { heading: heading.current, path };
    // A field may have the focus already: one of the page, or the choice of the workspace.
    if (isOther && !isField(document.activeElement)) heading.current.focus({ preventScroll: true });
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

function isField(element: Element | null): boolean {
  return element?.matches('input, select, textarea') ?? false;
}
