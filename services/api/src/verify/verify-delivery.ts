import { deadLetter } from '@postrider/shared/domain/dead-letter';
import {
  type AttemptFields,
  type ClosedReason,
  type DeliveryFields,
  type DeliverySummary,
  endUnsent,
  isTerminal,
  type LastAttempt,
} from '@postrider/shared/domain/delivery';
import type { Outcome, UnreachableReason, UnsendableReason } from '@postrider/shared/domain/judge';
import { DEFAULT_RETRY_STEP_MS, MAX_ATTEMPTS } from '@postrider/shared/domain/retry-policy';
import { settle } from '@postrider/shared/domain/settle';
import type { Difference, DifferenceKind } from './difference.js';

type Finding = Omit<Difference, 'id'>;

/**
 * Compares a delivery with its stored attempts. Both must have been read from one snapshot.
 *
 * @param attempts all of its records, by ordinal
 * @param overdueBefore deliveries that were due before this are overdue
 */
export function verifyDelivery(
  delivery: DeliveryFields,
  attempts: readonly AttemptFields[],
  overdueBefore: Date,
): readonly Difference[] {
  const findings = [
    ...ownerFindings(delivery, attempts),
    ...summaryFindings(delivery, attempts),
    ...dueFindings(delivery),
    ...overdueFindings(delivery, overdueBefore),
  ];
  return findings.map((difference) => ({ ...difference, id: delivery.id }));
}

function ownerFindings(delivery: DeliveryFields, attempts: readonly AttemptFields[]): Finding[] {
  const foreign = attempts.filter(
    ({ endpointId, workspaceId }) =>
      endpointId !== delivery.endpointId || workspaceId !== delivery.workspaceId,
  );
  return foreign.map(({ ordinal }) =>
    finding('owner', `record ${ordinal} has another endpoint or workspace than its delivery`),
  );
}

function summaryFindings(delivery: DeliveryFields, attempts: readonly AttemptFields[]): Finding[] {
  const replayed = replay(delivery, attempts);
  if ('problem' in replayed) return [finding('history', replayed.problem)];
  const facts = (['status', 'failureReason', 'attempts'] as const).map((field) =>
    compare(field, delivery[field], replayed[field]),
  );
  return [...facts, ...compareLast(delivery.lastAttempt, replayed.lastAttempt)].filter((one) => one !== null);
}

const LAST_ATTEMPT_FIELDS = [
  'ordinal',
  'httpStatus',
  'failureReason',
  'responseBody',
  'attemptedAt',
  'durationMs',
] as const satisfies readonly (keyof LastAttempt)[];

function compareLast(stored: LastAttempt | null, replayed: LastAttempt | null): (Finding | null)[] {
  if (stored === null || replayed === null) return [compare('lastAttempt', stored, replayed)];
  return LAST_ATTEMPT_FIELDS.map((field) => compare(`lastAttempt.${field}`, stored[field], replayed[field]));
}

function compare(field: string, stored: unknown, replayed: unknown): Finding | null {
  if (format(stored) === format(replayed)) return null;
  // Response bodies are the workspace's data and must not be printed.
  if (field === 'lastAttempt.responseBody') return finding('summary', `${field} differs from the attempt`);
  return finding(
    'summary',
    `${field} is ${format(stored)}; computed from the attempts it is ${format(replayed)}`,
  );
}

function format(value: unknown): string {
  return value !== null && typeof value === 'object' && !(value instanceof Date)
    ? 'an attempt'
    : JSON.stringify(value);
}

/** Replays the attempts on a new row, with the functions that produced the stored one. */
function replay(
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
    const next = apply(row, attempt);
    const { ordinal, status } = attempt;
    if (next === null || next.attempt.ordinal !== ordinal) {
      return {
        problem: `record ${ordinal} (${status}) cannot follow "${row.status}" after ${row.attempts} attempts`,
      };
    }
    if (next.attempt.status !== status || next.attempt.failureReason !== attempt.failureReason) {
      return {
        problem: `record ${ordinal} has status "${status}", but its outcome is "${next.attempt.status}"`,
      };
    }
    row = next.delivery;
  }
  return row;
}

interface Applied {
  readonly delivery: DeliverySummary;
  readonly attempt: AttemptFields;
}

/** The row after one more record; null when the record cannot come next. */
function apply(row: DeliverySummary, attempt: AttemptFields): Applied | null {
  if (attempt.status === 'dead_lettered') return deadLetter(row, null, attempt.attemptedAt);
  const reason = attempt.failureReason;
  if (reason === 'endpoint_disabled' || reason === 'endpoint_deleted') return cancelled(row, attempt, reason);
  const outcome = outcomeOf(attempt);
  if (outcome === null) return null;
  const { deliveryId, endpointId, ordinal, attemptedAt, durationMs, requestHeaders } = attempt;
  const endedAt = new Date(attemptedAt.getTime() + (durationMs ?? 0));
  const seen = { deliveryId, endpointId, ordinal, outcome, attemptedAt, endedAt, durationMs, requestHeaders };
  return settle({ delivery: row, endpoint: null }, { kind: 'attempt', ...seen }, DEFAULT_RETRY_STEP_MS);
}

function cancelled(row: DeliverySummary, attempt: AttemptFields, reason: ClosedReason): Applied | null {
  if (isTerminal(row) || row.attempts >= MAX_ATTEMPTS) return null;
  return endUnsent(row, reason, attempt.attemptedAt);
}

/** The outcome of a stored attempt; null when it made no request. */
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

function dueFindings(delivery: DeliveryFields): Finding[] {
  const { status, attempts, dueAt, nextAttemptAt, failingSince } = delivery;
  if (isTerminal(delivery)) {
    if (dueAt === null && nextAttemptAt === null) return [];
    return [finding('due', `it is "${status}", which is terminal, but still due`)];
  }
  if (dueAt === null)
    return [finding('due', `it is "${status}" without a due time, so it would never be attempted`)];
  const awaitsRetry = status === 'failed' && attempts < MAX_ATTEMPTS;
  if (awaitsRetry !== (nextAttemptAt !== null))
    return [
      finding(
        'due',
        `it is "${status}" after ${attempts} attempts, and nextAttemptAt is ${format(nextAttemptAt)}`,
      ),
    ];
  if (nextAttemptAt !== null && nextAttemptAt.getTime() !== dueAt.getTime())
    return [finding('due', `nextAttemptAt is ${format(nextAttemptAt)}, but it is due at ${format(dueAt)}`)];
  if (status === 'failed' && !awaitsRetry && failingSince === null)
    return [finding('due', 'its retries are exhausted, but failingSince is null')];
  return [];
}

function overdueFindings({ dueAt, status }: DeliveryFields, before: Date): Finding[] {
  if (dueAt === null || dueAt >= before) return [];
  return [finding('overdue', `it is "${status}" and has been due since ${dueAt.toISOString()}`)];
}

function finding(kind: DifferenceKind, what: string): Finding {
  return { kind, what };
}
