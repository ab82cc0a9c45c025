import type { ReactNode } from 'react';
import { ErrorPanel } from './error-panel.js';
import { Loading } from './loading.js';

/** The parts of a query's result that are shown. */
export interface QueryState<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  refetch(): unknown;
}

interface QueriedProps<T> {
  readonly query: QueryState<T>;
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
