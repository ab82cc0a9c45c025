import styles from './cut-middle.module.css';

/** The end is the last part of a path, unless that is longer. */
const MAX_END = 16;

/** Text of which the middle is cut where there is no room for all: URLs of one host differ at their end. */
export function CutMiddle({ text }: { readonly text: string }) {
  const characters = [...text];
  const lastPart = characters.length - characters.lastIndexOf('/', -2);
  const end = Math.max(1, Math.min(MAX_END, lastPart, Math.floor(characters.length / 2)));
  return (
    <span className={styles.cut}>
      <span className={styles.start}>{characters.slice(0, -end).join('')}</span>
      <span className={styles.end}>{characters.slice(-end).join('')}</span>
    </span>
  );
}
