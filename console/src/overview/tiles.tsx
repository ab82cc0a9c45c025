import type { ReactNode } from 'react';
import { classNames } from '../ui/class-names.js';
import styles from './overview.module.css';

export interface Tile {
  readonly name: string;
  readonly value: ReactNode;
  readonly note?: string;
  readonly tone?: 'good' | 'warn' | 'bad' | 'hold' | undefined;
}

/** A few numbers that answer the first question. */
export function Tiles({ tiles }: { readonly tiles: readonly Tile[] }) {
  return (
    <dl className={styles.tiles}>
      {tiles.map(({ name, value, note, tone }) => (
        <div key={name} className={styles.tile}>
          <dt>{name}</dt>
          <dd className={classNames(tone !== undefined && styles[tone])}>{value}</dd>
          {note !== undefined && <dd className={styles.note}>{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
