import {
  type AttemptRow,
  attemptsByDelivery,
  type Invariant,
  isBookkeeping,
  type Row,
  TERMINAL,
} from '../evidence.js';

/** I7: a summary is what its attempts come to, and never goes back. */
export const summariesHold: Invariant = ({ now, before, circumstances }) => {
  const attempts = attemptsByDelivery(now);
  const wrong: string[] = [];
  for (const row of now.rows.values()) {
    const told = foldOf(attempts.get(row.id) ?? []);
    for (const field of ['status', 'failureReason', 'attempts', 'lastOrdinal'] as const)
      if (row[field] !== told[field])
        wrong.push(`${row.id}: ${field} is ${row[field]}, its attempts come to ${told[field]}`);
    if (TERMINAL.has(row.status) !== (row.dueAt === null))
      wrong.push(`${row.id} is ${row.status} and ${row.dueAt === null ? 'has no' : 'has a'} due time`);
  }
  for (const earlier of before?.rows.values() ?? []) {
    const row = now.rows.get(earlier.id);
    if (row === undefined) {
      const { retentionMs } = circumstances;
      if (retentionMs === null || earlier.createdAt > now.at - retentionMs)
        wrong.push(`${earlier.id} has gone`);
    } else if (hasGoneBack(earlier, row))
      wrong.push(
        `${row.id} went from ${earlier.status} (${earlier.attempts}) to ${row.status} (${row.attempts})`,
      );
  }
  return wrong;
};

function foldOf(
  attempts: readonly AttemptRow[],
): Pick<Row, 'status' | 'failureReason' | 'attempts' | 'lastOrdinal'> {
  const made = attempts.filter((attempt) => !isBookkeeping(attempt));
  const last = attempts.at(-1);
  return {
    status: last?.status ?? 'pending',
    failureReason: last?.failureReason ?? null,
    attempts: made.length,
    lastOrdinal: made.at(-1)?.ordinal ?? null,
  };
}

function hasGoneBack(earlier: Row, row: Row): boolean {
  if (TERMINAL.has(earlier.status)) return earlier.hash !== row.hash;
  return row.attempts < earlier.attempts || (earlier.status === 'failed' && row.status === 'pending');
}
