import { memo, type ReactNode } from 'react';
import type { Column } from './data-table.js';
import styles from './data-table.module.css';

interface DataRowProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly row: Row;
  /** Counted from the first row of data. */
  readonly index: number;
}

/** Rendered once while the table scrolls: only rows that come into view cost anything. */
export const DataRow = memo(function DataRow<Row>({ columns, row, index }: DataRowProps<Row>) {
  return (
    // The header is the first row.
    <tr aria-rowindex={index + 2}>
      {columns.map(({ title, grows, cell }) => (
        <td key={title} className={grows && styles.grows}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: DataRowProps<Row>) => ReactNode;
