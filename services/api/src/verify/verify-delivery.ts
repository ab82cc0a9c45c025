import { deadLetter } from '@postrider/shared/domain/dead-letter';
import {
  type AttemptFields,
  bookkeeping,
  type DeliveryFields,
  type DeliverySummary,
  isTerminal,
  type LastAttempt,
} from '@postrider/shared/domain/delivery';
import type { Outcome, UnreachableReason, UnsendableReason } from '@postrider/shared/domain/judge';
import { DEFAULT_RETRY_STEP_MS, MAX_ATTEMPTS } from '@postrider/shared/domain/retry-policy';
import { settle } from '@postrider/shared/domain/settle';
import type { Difference, DifferenceKind } from './difference.js';

type Told = Omit<Difference, 'id'>;

/**
 * Holds a delivery against its stored attempts. Both must have been read at one moment.
 *
 * @param attempts all of its records, by ordinal
 * @param overdueBefore what was due before this should have been done
 */
export function verifyDelivery(
  delivery: DeliveryFields,
  attempts: readonly AttemptFields[],
  overdueBefore: Date,
): readonly Difference[] {
  const told = [
    ...owners(delivery, attempts),
    ...summary(delivery, attempts),
    ...due(delivery),
    ...overdue(delivery, overdueBefore),
  ];
  return told.map((difference) => ({ ...difference, id: delivery.id }));
}

function owners(delivery: DeliveryFields, attempts: readonly AttemptFields[]): Told[] {
  const strange = attempts.filter(
    ({ endpointId, workspaceId }) =>
      endpointId !== delivery.endpointId || workspaceId !== delivery.workspaceId,
  );
  return strange.map(({ ordinal }) =>
    tell('owner', `record ${ordinal} names another endpoint or workspace than its delivery`),
  );
}

function summary(delivery: DeliveryFields, attempts: readonly AttemptFields[]): Told[] {
  const folded = fold(delivery, attempts);
  if ('problem' in folded) return [tell('history', folded.problem)];
  const facts = (['status', 'failureReason', 'attempts'] as const).map((field) =>
    compare(field, delivery[field], folded[field]),
  );
  return [...facts, ...compareLast(delivery.lastAttempt, folded.lastAttempt)].filter((one) => one !== null);
}

const LAST_ATTEMPT_FIELDS = [
  'ordinal',
  'httpStatus',
  'failureReason',
  'responseBody',
  'attemptedAt',
  'durationMs',
] as const satisfies readonly (keyof LastAttempt)[];

function compareLast(stored: LastAttempt | null, folded: LastAttempt | null): (Told | null)[] {
  if (stored === null || folded === null) return [compare('lastAttempt', stored, folded)];
  return LAST_ATTEMPT_FIELDS.map((field) => compare(`lastAttempt.${field}`, stored[field], folded[field]));
}

function compare(field: string, stored: unknown, folded: unknown): Told | null {
  if (plain(stored) === plain(folded)) return null;
  // What a receiver answered is the workspace's own business.
  if (field === 'lastAttempt.responseBody') return tell('summary', `${field} is not that of the attempt`);
  return tell('summary', `${field} is ${plain(stored)}; the attempts make it ${plain(folded)}`);
}

function plain(value: unknown): string {
  return value !== null && typeof value === 'object' && !(value instanceof Date)
    ? 'an attempt'
    : JSON.stringify(value);
}

/** What the attempts make of a fresh row, by the functions that made the stored one. */
function fold(
  delivery: DeliveryFields,
  attempts: readonly AttemptFields[],
): DeliverySummary | { readonly problem: string } {
  let row: DeliverySummary = {
    ...delivery,
    status: 'pending',
    failureReason: null,
    attempts: 0,
    nextAttemptAt: null,
    lastAttempt: null,
    dueAt: delivery.createdAt,
    failingSince: null,
  };
  for (const attempt of attempts) {
    const next = follow(row, attempt);
    const { ordinal, status } = attempt;
    if (next === null || next.attempt.ordinal !== ordinal) {
      return {
        problem: `record ${ordinal} (${status}) cannot follow "${row.status}" after ${row.attempts} attempts`,
      };
    }
    if (next.attempt.status !== status || next.attempt.failureReason !== attempt.failureReason) {
      return { problem: `record ${ordinal} says "${status}", but its evidence is "${next.attempt.status}"` };
    }
    row = next.delivery;
  }
  return row;
}

interface Followed {
  readonly delivery: DeliverySummary;
  readonly attempt: AttemptFields;
}

/** The row after one more record; null where the record cannot come next. */
function follow(row: DeliverySummary, attempt: AttemptFields): Followed | null {
  if (attempt.status === 'dead_lettered') return deadLetter(row, null, attempt.attemptedAt);
  const reason = attempt.failureReason;
  if (reason === 'endpoint_disabled' || reason === 'endpoint_deleted') return closed(row, attempt, reason);
  const outcome = outcomeOf(attempt);
  if (outcome === null) return null;
  const { deliveryId, endpointId, ordinal, attemptedAt, durationMs, requestHeaders } = attempt;
  const endedAt = new Date(attemptedAt.getTime() + (durationMs ?? 0));
  const seen = { deliveryId, endpointId, ordinal, outcome, attemptedAt, endedAt, durationMs, requestHeaders };
  return settle({ delivery: row, endpoint: null }, { kind: 'attempt', ...seen }, DEFAULT_RETRY_STEP_MS);
}

function closed(
  row: DeliverySummary,
  { attemptedAt: at }: AttemptFields,
  reason: 'endpoint_disabled' | 'endpoint_deleted',
): Followed | null {
  if (isTerminal(row) || row.attempts >= MAX_ATTEMPTS) return null;
  const end = { status: 'failed_permanent', failureReason: reason } as const;
  return {
    delivery: { ...row, ...end, nextAttemptAt: null, dueAt: null, failingSince: null },
    attempt: bookkeeping(row, end, at),
  };
}

/** What the engine saw, told by the evidence; null when there is none. */
function outcomeOf({ httpStatus, failureReason, responseBody }: AttemptFields): Outcome | null {
  if (httpStatus !== null) return { kind: 'answered', httpStatus, responseBody };
  switch (failureReason) {
    case 'invalid_url':
    case 'blocked_address':
      return { kind: 'unsendable', reason: failureReason satisfies UnsendableReason };
    case 'timeout':
    case 'connection_refused':
    case 'connection_reset':
    case 'dns':
    case 'tls':
    case 'network':
      return { kind: 'unreachable', reason: failureReason satisfies UnreachableReason };
    case 'http_status':
    case 'endpoint_disabled':
    case 'endpoint_deleted':
    case 'retries_exhausted':
    case null:
      return null;
  }
}

function due(delivery: DeliveryFields): Told[] {
  const { status, attempts, dueAt, nextAttemptAt, failingSince } = delivery;
  if (isTerminal(delivery)) {
    if (dueAt === null && nextAttemptAt === null) return [];
    return [tell('due', `it has ended as "${status}" and is still due`)];
  }
  if (dueAt === null) return [tell('due', `it is "${status}" and never due: nothing would bring it back`)];
  const waits = status === 'failed' && attempts < MAX_ATTEMPTS;
  if (waits !== (nextAttemptAt !== null))
    return [
      tell(
        'due',
        `it is "${status}" after ${attempts} attempts, and nextAttemptAt is ${plain(nextAttemptAt)}`,
      ),
    ];
  if (nextAttemptAt !== null && nextAttemptAt.getTime() !== dueAt.getTime())
    return [tell('due', `nextAttemptAt is ${plain(nextAttemptAt)}, but it is due at ${plain(dueAt)}`)];
  if (status === 'failed' && !waits && failingSince === null)
    return [tell('due', 'its retries are exhausted and it does not say since when its endpoint fails')];
  return [];
}

function overdue({ dueAt, status }: DeliveryFields, before: Date): Told[] {
  if (dueAt === null || dueAt >= before) return [];
  return [tell('overdue', `it is "${status}" and has been due since ${dueAt.toISOString()}`)];
}

function tell(kind: DifferenceKind, what: string): Told {
  return { kind, what };
}
