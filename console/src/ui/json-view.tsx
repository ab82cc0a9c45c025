import styles from './json-view.module.css';

/** A JSON value as text. React escapes it, so markup inside it stays text. */
export function JsonView({ value }: { readonly value: unknown }) {
  return <pre className={styles.view}>{JSON.stringify(value, null, 2)}</pre>;
}
