import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorPanel } from './error-panel.js';
import { Loading } from './loading.js';

interface QueriedProps<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  children(data: T): ReactNode;
}

/** Renders the result of a query, or that it is loading or has failed. Older data stays visible below an error. */
export function Queried<T>({ query: { data, error, refetch }, children }: QueriedProps<T>) {
  return (
    <>
      {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {data === undefined ? error === null && <Loading /> : children(data)}
    </>
  );
}
