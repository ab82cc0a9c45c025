import { Fragment, type ReactNode, useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { texts } from '../texts/en.js';
import { Button } from './button.js';
import styles from './filter-bar.module.css';

interface FilterBarProps {
  readonly label: string;
  /** The fields that are used often. */
  readonly children: ReactNode;
  /** Other fields, which can be folded away. */
  readonly more?: ReactNode;
  readonly isMoreOpen?: boolean;
  onApply(): void;
  /** Empties what was given and applies it. The fields forget what was typed. */
  onClear(): void;
}

/** Filters of a table, applied when the form is submitted: each change would be a request. */
export function FilterBar({ label, children, more, isMoreOpen = false, onApply, onClear }: FilterBarProps) {
  const [clears, setClears] = useState(0);
  return (
    <Form
      className={styles.filters ?? ''}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        onApply();
      }}
    >
      <div className={styles.fields}>
        <Fragment key={clears}>{children}</Fragment>
        <div className={styles.buttons}>
          <Button type="submit" look="primary">
            {texts.filters.apply}
          </Button>
          <Button
            onPress={() => {
              setClears(clears + 1);
              onClear();
            }}
          >
            {texts.filters.clear}
          </Button>
        </div>
      </div>
      {more !== undefined && (
        <details open={isMoreOpen}>
          <summary>{texts.filters.more}</summary>
          <div key={clears} className={styles.fields}>
            {more}
          </div>
        </details>
      )}
    </Form>
  );
}
