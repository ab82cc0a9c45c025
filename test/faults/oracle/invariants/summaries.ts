import {
  type AttemptFacts,
  type AttemptRow,
  attemptsByDelivery,
  type Invariant,
  isBookkeeping,
  type Row,
  TERMINAL,
} from '../evidence.js';

const MOST_ATTEMPTS = 7;
const FACTS = [
  'ordinal',
  'failureReason',
  'httpStatus',
  'responseBody',
  'attemptedAt',
  'durationMs',
] as const satisfies readonly (keyof AttemptFacts)[];

/** I7: a summary is what its attempts come to, and never goes back. */
export const summariesHold: Invariant = ({ now, before, circumstances }) => {
  const attempts = attemptsByDelivery(now);
  const wrong: string[] = [];
  for (const row of now.rows.values()) {
    const told = foldOf(attempts.get(row.id) ?? []);
    for (const field of ['status', 'failureReason', 'attempts'] as const)
      if (row[field] !== told[field])
        wrong.push(`${row.id}: ${field} is ${row[field]}, its attempts come to ${told[field]}`);
    wrong.push(...otherLastAttempt(row, told.last), ...otherDue(row));
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
): Pick<Row, 'status' | 'failureReason' | 'attempts'> & { readonly last: AttemptFacts | null } {
  const made = attempts.filter((attempt) => !isBookkeeping(attempt));
  const last = attempts.at(-1);
  return {
    status: last?.status ?? 'pending',
    failureReason: last?.failureReason ?? null,
    attempts: made.length,
    last: made.at(-1) ?? null,
  };
}

/** The evidence of the last attempt stands on the summary, too, and a record without an attempt does not replace it. */
function otherLastAttempt({ id, lastAttempt }: Row, last: AttemptFacts | null): string[] {
  if (lastAttempt === null || last === null)
    return (lastAttempt === null) === (last === null)
      ? []
      : [`${id}: one of it and its attempts has no last one`];
  return FACTS.filter((field) => lastAttempt[field] !== last[field]).map(
    (field) => `${id}: its last attempt's ${field} is ${lastAttempt[field]}, stored is ${last[field]}`,
  );
}

/** It is due exactly until it ends, and says so to its owner exactly while it waits for another attempt. */
function otherDue({ id, status, attempts, dueAt, nextAttemptAt }: Row): string[] {
  if (TERMINAL.has(status) !== (dueAt === null))
    return [`${id} is ${status} and ${dueAt === null ? 'has no' : 'has a'} due time`];
  const waits = status === 'failed' && attempts < MOST_ATTEMPTS;
  const next = waits ? dueAt : null;
  return nextAttemptAt === next
    ? []
    : [`${id}: its next attempt is at ${nextAttemptAt}, it is due at ${next}`];
}

function hasGoneBack(earlier: Row, row: Row): boolean {
  if (TERMINAL.has(earlier.status)) return earlier.hash !== row.hash;
  return row.attempts < earlier.attempts || (earlier.status === 'failed' && row.status === 'pending');
}
