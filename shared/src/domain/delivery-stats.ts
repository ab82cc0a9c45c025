import type { BookkeepingReason, DeliveryFields, LastAttempt } from './delivery.js';
import { type LatencyField, latencyField } from './latency-buckets.js';
import type { Observation } from './settle.js';
import type { Settled } from './settle-all.js';

/** The counts that are kept for each hour. Deliveries are counted by their last outcome, in the hour of that outcome. */
export const STAT_COUNTS = [
  'delivered',
  'failed',
  'failedPermanent',
  'deadLettered',
  'held',
  'attempts',
] as const;
export type StatCount = (typeof STAT_COUNTS)[number];

/** An outcome that comes later than this after its delivery's creation is late: a recount does not read its row. */
export const LATE_AFTER_MS = 24 * 60 * 60 * 1_000;

/** A change of one count of one hour. */
export interface StatStep {
  readonly at: Date;
  readonly field: StatCount | LatencyField;
  readonly by: 1 | -1;
  /** Whether the outcome came late, so that a recount must leave the change alone. */
  readonly isLate: boolean;
}

type Change = Omit<StatStep, 'isLate'>;

/** The parts of a delivery that decide where it is counted. */
export type CountedDelivery = Pick<DeliveryFields, 'status' | 'failureReason' | 'createdAt'> & {
  readonly lastAttempt: Ended | null;
};

/** The parts of an attempt that are counted. */
type Ended = Pick<LastAttempt, 'attemptedAt' | 'durationMs'>;

/** A record of a delivery's history, as rows have it. */
export type CountedRecord = Ended & Pick<DeliveryFields, 'failureReason'>;

const BOOKKEEPING: ReadonlySet<string> = new Set<BookkeepingReason>([
  'endpoint_disabled',
  'endpoint_deleted',
  'retries_exhausted',
]);

/** The changes that a stored observation makes; none for a damaged row. @param before the delivery before it; null if it is not known */
export function stepsOfSettled(
  { observation, after, isStored }: Settled,
  before: CountedDelivery | null,
): StatStep[] {
  const { delivery } = after;
  if (!isStored || delivery === null || !isCountable(delivery, before)) return [];
  const attempt = observation.kind === 'attempt' ? changesOfAttempt(observation) : [];
  return [
    ...stepsOfEnd(delivery, { before, at: endOfObservation(observation) }),
    ...stepsOf(delivery, attempt),
  ];
}

/** Whether a row has the times that decide where it is counted. A damaged one may lack them. */
export function isCountable(
  { createdAt }: Pick<CountedDelivery, 'createdAt'>,
  before: CountedDelivery | null,
): boolean {
  const lastAttempt = before?.lastAttempt ?? null;
  const times: readonly unknown[] = [createdAt, ...(lastAttempt === null ? [] : [lastAttempt.attemptedAt])];
  return times.every((time) => time instanceof Date);
}

/** The changes that a delivery's new outcome makes: it is counted under that, and no longer as the failure that it was. */
export function stepsOfEnd(
  delivery: Omit<CountedDelivery, 'lastAttempt'>,
  { before, at }: { readonly before: CountedDelivery | null; readonly at: Date },
): StatStep[] {
  const field = fieldOf(delivery);
  const counted: Change[] = field === null ? [] : [{ at, field, by: 1 }];
  if (before?.status === 'failed' && before.lastAttempt !== null)
    counted.push({ at: endOf(before.lastAttempt), field: 'failed', by: -1 });
  return stepsOf(delivery, counted);
}

/**
 * The contribution of a stored row to all hours.
 *
 * @param records its history; null for a row of the first feature level, of which only the last attempt is counted
 */
export function stepsOfRow(row: CountedDelivery, records: readonly CountedRecord[] | null): StatStep[] {
  const { lastAttempt, createdAt } = row;
  const history = records ?? (lastAttempt === null ? [] : [{ ...lastAttempt, failureReason: null }]);
  const attempts = history.filter((record) => !isBookkeeping(record)).flatMap(changesOfAttempt);
  const last = history.at(-1);
  return [
    ...stepsOfEnd(row, { before: null, at: last === undefined ? createdAt : endOf(last) }),
    ...stepsOf(row, attempts),
  ];
}

function stepsOf({ createdAt }: Pick<CountedDelivery, 'createdAt'>, changes: readonly Change[]): StatStep[] {
  return changes.map((change) => ({
    ...change,
    isLate: change.at.getTime() - createdAt.getTime() > LATE_AFTER_MS,
  }));
}

function changesOfAttempt(attempt: Ended): Change[] {
  const at = endOf(attempt);
  const counted: Change = { at, field: 'attempts', by: 1 };
  if (attempt.durationMs === null) return [counted];
  return [counted, { at, field: latencyField(attempt.durationMs), by: 1 }];
}

function endOfObservation(observation: Observation): Date {
  return observation.kind === 'attempt' ? endOf(observation) : observation.endedAt;
}

function endOf({ attemptedAt, durationMs }: Ended): Date {
  return new Date(attemptedAt.getTime() + (durationMs ?? 0));
}

function isBookkeeping({ failureReason }: Pick<CountedRecord, 'failureReason'>): boolean {
  return failureReason !== null && BOOKKEEPING.has(failureReason);
}

function fieldOf({
  status,
  failureReason,
}: Pick<CountedDelivery, 'status' | 'failureReason'>): StatCount | null {
  switch (status) {
    case 'pending':
      return null;
    case 'delivered':
      return 'delivered';
    case 'failed':
      return 'failed';
    case 'failed_permanent':
      return failureReason === 'endpoint_disabled' ? 'held' : 'failedPermanent';
    case 'dead_lettered':
      return 'deadLettered';
  }
}
