import type { BookkeepingReason, DeliveryFields, LastAttempt } from './delivery.js';
import { type LatencyField, latencyField } from './latency-buckets.js';
import type { Observation } from './settle.js';
import type { Settled } from './settle-all.js';

/** What is counted in each hour. Deliveries are counted by their last outcome, in the hour in which it came. */
export const STAT_COUNTS = [
  'delivered',
  'failed',
  'failedPermanent',
  'deadLettered',
  'held',
  'attempts',
] as const;
export type StatCount = (typeof STAT_COUNTS)[number];

/** A change of one count of one hour. */
export interface StatStep {
  readonly at: Date;
  readonly field: StatCount | LatencyField;
  readonly by: 1 | -1;
}

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

/** The changes that a stored observation makes. @param before the delivery before it; null if it is not known */
export function stepsOfSettled(
  { observation, after, fresh }: Settled,
  before: CountedDelivery | null,
): StatStep[] {
  const { delivery } = after;
  if (!fresh || delivery === null) return [];
  const attempt = observation.kind === 'attempt' ? stepsOfAttempt(observation) : [];
  return [...stepsOfEnd(delivery, { before, at: endOfObservation(observation) }), ...attempt];
}

/** The changes that a new outcome of a delivery makes: it is counted there, and no longer as the failure that it was. */
export function stepsOfEnd(
  delivery: Pick<CountedDelivery, 'status' | 'failureReason'>,
  { before, at }: { readonly before: CountedDelivery | null; readonly at: Date },
): StatStep[] {
  const field = fieldOf(delivery);
  const counted: StatStep[] = field === null ? [] : [{ at, field, by: 1 }];
  if (before?.status !== 'failed' || before.lastAttempt === null) return counted;
  return [...counted, { at: endOf(before.lastAttempt), field: 'failed', by: -1 }];
}

/**
 * What a stored row contributes to all hours.
 *
 * @param records its history; null for a row of the first feature level, of which only the last attempt is counted
 */
export function stepsOfRow(row: CountedDelivery, records: readonly CountedRecord[] | null): StatStep[] {
  const { lastAttempt, createdAt } = row;
  const history = records ?? (lastAttempt === null ? [] : [{ ...lastAttempt, failureReason: null }]);
  const attempts = history.filter((record) => !isBookkeeping(record)).flatMap(stepsOfAttempt);
  const last = history.at(-1);
  return [
    ...stepsOfEnd(row, { before: null, at: last === undefined ? createdAt : endOf(last) }),
    ...attempts,
  ];
}

function stepsOfAttempt(attempt: Ended): StatStep[] {
  const at = endOf(attempt);
  const counted: StatStep = { at, field: 'attempts', by: 1 };
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
