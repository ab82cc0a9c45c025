import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { classNames } from './class-names.js';
import { DataRow } from './data-row.js';
import styles from './data-table.module.css';
import { useMedia } from './use-media.js';
import { usePlace } from './use-place.js';

export interface Column<Row> {
  readonly title: string;
  /** Takes the room that the other columns leave; longer content is cut. */
  readonly grows?: true;
  /** Is shown in full, on several lines; the height of such rows is measured. */
  readonly wraps?: true;
  cell(row: Row): ReactNode;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Whether there are rows that are not loaded yet. */
  readonly hasMore?: boolean;
  keyOf(row: Row): string;
  /** Called when the last rows come into view. */
  onEnd?(): void;
}

/** Stands in the style sheet as well. */
const ROW_HEIGHT = 44;
/** About the height of a value in a card, which is measured when it is shown. */
const LINE_HEIGHT = 28;
const OVERSCAN = 12;
const NEAR_END = 20;
/** The value of `aria-rowcount` where it is not known. */
const UNKNOWN = -1;

/** The columns do not fit next to each other. */
const NARROW = '(max-width: 75rem)';

/**
 * A table that renders only the rows in view, so that long lists scroll smoothly. On a narrow screen each row is a card, with
 * the titles of the columns beside their values.
 */
export function DataTable<Row>({ label, columns, rows, hasMore = false, keyOf, onEnd }: DataTableProps<Row>) {
  const isCards = useMedia(NARROW);
  const scroller = useRef<HTMLElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isCards ? columns.length * LINE_HEIGHT : ROW_HEIGHT),
    overscan: OVERSCAN,
  });
  usePlace(virtualizer, label);
  const isMeasured = isCards || columns.some(({ wraps }) => wraps);
  const visible = virtualizer.getVirtualItems();
  const first = visible[0];
  const last = visible.at(-1);
  const isNearEnd = last !== undefined && last.index >= rows.length - NEAR_END;
  useEffect(() => {
    if (isNearEnd) onEnd?.();
  }, [isNearEnd, onEnd]);

  const wasCards = useRef(isCards);
  useLayoutEffect(() => {
    if (wasCards.current === isCards) return;
    wasCards.current = isCards;
    // The heights of all rows have changed. The first row in view remains the first one.
    const firstInView = virtualizer.range?.startIndex ?? 0;
    virtualizer.measure();
    if (firstInView > 0) virtualizer.scrollToIndex(firstInView, { align: 'start' });
  }, [isCards, virtualizer]);
  // Browsers may take the implicit roles from elements that are not displayed as a table.
  const roleOf = (role: 'table' | 'rowgroup' | 'row' | 'columnheader') => (isCards ? role : undefined);

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section ref={scroller} className={styles.scroller} aria-label={label} tabIndex={0}>
      <table
        className={classNames(styles.table, isCards && styles.cards)}
        data-growing={isCards ? undefined : columns.filter(({ grows }) => grows).length}
        aria-rowcount={hasMore ? UNKNOWN : rows.length + 1}
        role={roleOf('table')}
      >
        <thead role={roleOf('rowgroup')}>
          <tr aria-rowindex={1} role={roleOf('row')}>
            {columns.map(({ title }) => (
              <th key={title} scope="col" role={roleOf('columnheader')}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role={roleOf('rowgroup')}>
          <Space height={first?.start ?? 0} columns={columns.length} />
          {visible.map(({ index }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <DataRow
                key={keyOf(row)}
                columns={columns}
                row={row}
                index={index}
                isCard={isCards}
                measure={isMeasured ? virtualizer.measureElement : undefined}
              />
            );
          })}
          <Space
            // Before any row is rendered, this is what gives the scroller its height.
            height={virtualizer.getTotalSize() - (last?.end ?? 0)}
            columns={columns.length}
          />
        </tbody>
      </table>
    </section>
  );
}

/** Takes the height of the rows that are not rendered. */
function Space({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    <tr className={styles.space}>
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}
