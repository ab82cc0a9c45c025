import type { ReactNode } from 'react';
import styles from './panel.module.css';

/** Names and values of one thing, as a description list. */
export function Facts({ items }: { readonly items: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {items.map(([name, value]) => (
        <Fact key={name} name={name} value={value} />
      ))}
    </dl>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
