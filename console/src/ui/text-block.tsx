import { showControls } from './show-controls.js';
import styles from './text-block.module.css';

/** Text of unknown length and origin. It is never markup, long text scrolls, and control characters are shown. */
export function TextBlock({ children }: { readonly children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <pre className={styles.block} tabIndex={0}>
      {showControls(children)}
    </pre>
  );
}
