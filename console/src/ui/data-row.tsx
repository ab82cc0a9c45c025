import { memo, type ReactNode } from 'react';
import { classNames } from './class-names.js';
import type { Column } from './data-table.js';
import styles from './data-table.module.css';

interface DataRowProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly row: Row;
  /** Counted from the first row of data. */
  readonly index: number;
  readonly isCard: boolean;
  /** Takes the element whose height is not that of all rows. */
  readonly measure: ((element: HTMLTableRowElement | null) => void) | undefined;
}

/** Rendered once while the table scrolls: only rows that come into view cost anything. */
export const DataRow = memo(function DataRow<Row>({
  columns,
  row,
  index,
  isCard,
  measure,
}: DataRowProps<Row>) {
  return (
    // The header is the first row.
    <tr ref={measure} data-index={index} aria-rowindex={index + 2} role={isCard ? 'row' : undefined}>
      {columns.map(({ title, grows, wraps, cell }) => (
        <td
          key={title}
          data-title={title}
          role={isCard ? 'cell' : undefined}
          className={classNames(grows && styles.grows, wraps && styles.wraps)}
        >
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: DataRowProps<Row>) => ReactNode;
