import { texts } from '../texts/en.js';
import styles from './panel.module.css';

export function Loading() {
  return (
    <p role="status" className={styles.skeleton}>
      {texts.loading}
    </p>
  );
}
