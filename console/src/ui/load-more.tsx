import { texts } from '../texts/en.js';
import { Button } from './button.js';
import styles from './load-more.module.css';

interface LoadMoreProps {
  /** Whether no row is shown yet. A page may be empty while there are more. */
  readonly isEmpty: boolean;
  readonly isLoading: boolean;
  onLoad(): void;
}

/** Loads the next page of a list, and shows whether it is still being searched. */
export function LoadMore({ isEmpty, isLoading, onLoad }: LoadMoreProps) {
  return (
    <div className={styles.more}>
      <Button isDisabled={isLoading} onPress={onLoad}>
        {texts.actions.loadMore}
      </Button>
      <p role="status">{isLoading ? texts.search.running : isEmpty && texts.search.nothingYet}</p>
    </div>
  );
}
