import { useMemo } from 'react';
import { type JsonToken, jsonTokens } from './json-tokens.js';
import { showControls } from './show-controls.js';
import styles from './text-block.module.css';

/** Larger values are shown in one colour, so that they appear without delay. */
const MAX_COLOURED = 100_000;

/** A value as formatted, coloured JSON. Control characters are escaped, so that it is still the same value. */
export function JsonView({ value }: { readonly value: unknown }) {
  const tokens = useMemo(() => tokensOf(showControls(JSON.stringify(value, null, 2))), [value]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <pre className={styles.block} tabIndex={0}>
      {tokens.map(({ kind, text }, index) =>
        kind === 'punctuation' ? (
          text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of one value never change their order
          <span key={index} className={styles[kind]}>
            {text}
          </span>
        ),
      )}
    </pre>
  );
}

function tokensOf(text: string): readonly JsonToken[] {
  return text.length > MAX_COLOURED ? [{ kind: 'punctuation', text }] : jsonTokens(text);
}
