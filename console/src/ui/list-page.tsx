import type { ReactNode } from 'react';
import { EmptyState } from './empty-state.js';
import { ListTable, type ListTableProps } from './list-table.js';
import { PageHead } from './page-head.js';

interface ListPageProps<Row> extends Omit<ListTableProps<Row>, 'label' | 'empty'> {
  readonly title: string;
  readonly subtitle?: string;
  readonly actions?: ReactNode;
  /** Why the list is empty, and what to do next. */
  readonly empty: string;
  readonly emptyHint?: ReactNode;
  /** Stands between the heading and the table, for example filters. */
  readonly children?: ReactNode;
}

/** A page that is one list. */
export function ListPage<Row>({
  title,
  subtitle,
  actions,
  empty,
  emptyHint,
  children,
  ...table
}: ListPageProps<Row>) {
  return (
    <>
      <PageHead title={title} subtitle={subtitle} actions={actions} />
      {children}
      <ListTable
        {...table}
        label={title}
        empty={<EmptyState title={empty}>{emptyHint !== undefined && <div>{emptyHint}</div>}</EmptyState>}
      />
    </>
  );
}
