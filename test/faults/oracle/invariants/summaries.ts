import { attemptsByDelivery, type Invariant, isPost, MAX_ATTEMPTS, TERMINAL } from '../evidence.js';
import type { AttemptResult, AttemptRow, DeliveryRow } from '../snapshot.js';

const SUMMARY = ['status', 'failureReason', 'attempts'] as const satisfies readonly (keyof DeliveryRow)[];
const RESULT = [
  'ordinal',
  'failureReason',
  'httpStatus',
  'responseBody',
  'attemptedAt',
  'durationMs',
] as const satisfies readonly (keyof AttemptResult)[];

/** I7: a delivery's summary follows from its attempts, and never returns to an earlier state. */
export const summariesMatchAttempts: Invariant = ({ now, before, conditions: { retentionMs } }) => {
  const attempts = attemptsByDelivery(now);
  const wrong = [...now.deliveries.values()].flatMap((row) => {
    const { last, ...expected } = summarize(attempts.get(row.id) ?? []);
    return [
      ...SUMMARY.filter((field) => row[field] !== expected[field]).map(
        (field) => `${row.id}: ${field} is ${row[field]}, its attempts give ${expected[field]}`,
      ),
      ...wrongLastAttempt(row, last),
      ...wrongDueTime(row),
    ];
  });
  for (const earlier of before?.deliveries.values() ?? []) {
    const row = now.deliveries.get(earlier.id);
    if (row !== undefined && hasRegressed(earlier, row))
      wrong.push(
        `${row.id} went from ${earlier.status} (${earlier.attempts}) to ${row.status} (${row.attempts})`,
      );
    if (row === undefined && (retentionMs === null || earlier.createdAt > now.at - retentionMs))
      wrong.push(`${earlier.id} was removed`);
  }
  return wrong;
};

function summarize(records: readonly AttemptRow[]) {
  const posts = records.filter(isPost);
  const { status = 'pending', failureReason = null } = records.at(-1) ?? {};
  return { status, failureReason, attempts: posts.length, last: posts.at(-1) ?? null };
}

/** The summary repeats the result of the last attempt; a bookkeeping record does not replace it. */
function wrongLastAttempt({ id, lastAttempt }: DeliveryRow, last: AttemptResult | null): string[] {
  if (lastAttempt === null || last === null)
    return lastAttempt === last ? [] : [`${id}: only one of summary and attempts has a last attempt`];
  return RESULT.filter((field) => lastAttempt[field] !== last[field]).map(
    (field) => `${id}: ${field} of its last attempt is ${lastAttempt[field]}, stored is ${last[field]}`,
  );
}

/** A delivery has a due time until it is finished; the API returns the time only while it waits for a retry. */
function wrongDueTime({ id, status, attempts, dueAt, nextAttemptAt }: DeliveryRow): string[] {
  if (TERMINAL.has(status) !== (dueAt === null))
    return [`${id} is ${status} and ${dueAt === null ? 'has no' : 'has a'} due time`];
  const expected = status === 'failed' && attempts < MAX_ATTEMPTS ? dueAt : null;
  return nextAttemptAt === expected ? [] : [`${id}: nextAttemptAt is ${nextAttemptAt}, not ${expected}`];
}

function hasRegressed(earlier: DeliveryRow, row: DeliveryRow): boolean {
  if (TERMINAL.has(earlier.status)) return earlier.hash !== row.hash;
  return row.attempts < earlier.attempts || (earlier.status === 'failed' && row.status === 'pending');
}
