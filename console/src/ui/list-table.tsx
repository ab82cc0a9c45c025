import type { ReactNode } from 'react';
import { type Column, DataTable } from './data-table.js';
import { LoadMore } from './load-more.js';
import { Queried, type QueryState } from './queried.js';

export interface ListTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly list: {
    readonly rows: QueryState<readonly Row[]>;
    readonly isLatestEmpty: boolean;
    readonly hasMore: boolean;
    readonly isLoadingMore: boolean;
    loadMore(): void;
  };
  keyOf(row: Row): string;
  /** Shown where the list has no rows. */
  readonly empty: ReactNode;
}

/** The table of a list. A page may be empty while there are more, so the button stays as long as there are. */
export function ListTable<Row>({ label, columns, list, keyOf, empty }: ListTableProps<Row>) {
  const { rows, isLatestEmpty, hasMore, isLoadingMore, loadMore } = list;
  return (
    <Queried query={rows}>
      {(items) => (
        <>
          {items.length === 0 && !hasMore && empty}
          {items.length > 0 && (
            <DataTable
              label={label}
              columns={columns}
              rows={items}
              hasMore={hasMore}
              keyOf={keyOf}
              // After an error or an empty page only the button loads more: the end of the table stays in view.
              {...(rows.error === null && !isLatestEmpty && { onEnd: loadMore })}
            />
          )}
          {hasMore && <LoadMore isEmpty={items.length === 0} isLoading={isLoadingMore} onLoad={loadMore} />}
        </>
      )}
    </Queried>
  );
}
