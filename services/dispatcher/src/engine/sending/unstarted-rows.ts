import { countByKey } from '@postrider/shared/runtime/count-by-key';
import type { UnstartedRows } from '../../ports/hand-over.js';
import { Fifo } from '../scheduler/fifo.js';

/** A row that was handed over and whose attempt has not begun. */
export interface UnstartedRow {
  readonly workspaceId: string;
  readonly bytes: number;
  readonly since: number;
  isCounted: boolean;
}

/**
 * Counts the rows that were handed over within the last quarter of a second and whose attempts have not begun. Older ones rather
 * wait for their receivers than for this process, so they do not count: whatever receivers do, the process may store 500 rows and
 * as many more every quarter of a second.
 */
export interface CountedRows extends UnstartedRows {
  add(workspaceId: string, bytes: number): UnstartedRow;
  remove(row: UnstartedRow): void;
}

/** So many are many, until half of them have started: the next ones are then stored together. */
const MAX_ROWS = 500;
const MAX_BYTES = 4 * 1_024 * 1_024;
const COUNTED_MS = 250;

export function createUnstartedRows(monotonicMs: () => number): CountedRows {
  /** In the order in which they were handed over, with those that have started since. */
  const rows = new Fifo<UnstartedRow>();
  const byWorkspace = new Map<string, number>();
  const total = { rows: 0, bytes: 0 };
  let areMany = false;
  const change = ({ workspaceId, bytes }: UnstartedRow, by: 1 | -1) => {
    countByKey(byWorkspace, workspaceId, by);
    total.rows += by;
    total.bytes += by * bytes;
    const part = areMany ? 1 / 2 : 1;
    areMany = total.rows >= part * MAX_ROWS || total.bytes >= part * MAX_BYTES;
  };
  const remove = (row: UnstartedRow) => {
    if (!row.isCounted) return;
    row.isCounted = false;
    change(row, -1);
  };
  const removeOld = () => {
    const before = monotonicMs() - COUNTED_MS;
    for (let row = rows.peek(); row !== undefined; row = rows.peek()) {
      if (row.isCounted && row.since > before) return;
      remove(row);
      rows.shift();
    }
  };
  return {
    add(workspaceId, bytes) {
      removeOld();
      const row = { workspaceId, bytes, since: monotonicMs(), isCounted: true };
      rows.push(row);
      change(row, 1);
      return row;
    },
    remove,
    areMany() {
      removeOld();
      return areMany;
    },
    hasShare: (workspaceId) => (byWorkspace.get(workspaceId) ?? 0) * byWorkspace.size >= total.rows,
  };
}
