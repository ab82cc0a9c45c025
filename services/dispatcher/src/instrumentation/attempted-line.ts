import { judge, type Verdict } from '@postrider/shared/domain/judge';
import type { AttemptObservation } from '@postrider/shared/domain/settle';
import type { Settled } from '@postrider/shared/domain/settle-all';
import type { PostPhases } from '../ports/poster.js';

/** Details of an attempt that are not part of its observation. */
export interface AttemptDetails {
  /** When the row was due; null if unknown. */
  readonly dueAt: Date | null;
  readonly phases: PostPhases | null;
}

export interface AttemptedFacts extends AttemptDetails {
  readonly observation: AttemptObservation;
  readonly result: Settled;
  readonly settleMs: number;
  /** Whether this attempt disabled its endpoint. */
  readonly disabled: boolean;
}

/**
 * The log line of an attempt. It always has the same fields, with null for missing values. It contains neither the URL,
 * whose path often is a secret, nor the response body.
 */
export function attemptedLine(facts: AttemptedFacts) {
  const { observation, result, dueAt, phases } = facts;
  const { outcome, attemptedAt, ordinal } = observation;
  const { delivery } = result.after;
  const verdict = judge(outcome);
  return {
    event: 'delivery.attempted',
    deliveryId: observation.deliveryId,
    endpointId: observation.endpointId,
    workspaceId: delivery?.workspaceId ?? null,
    eventType: delivery?.eventType ?? null,
    ordinal,
    verdict: verdict.kind,
    reason: reasonOf(verdict),
    httpStatus: outcome.kind === 'answered' ? outcome.httpStatus : null,
    status: delivery?.status ?? null,
    recorded: result.isStored,
    next: result.next.do,
    nextAttemptAt: delivery?.nextAttemptAt?.toISOString() ?? null,
    endpointDisabled: facts.disabled,
    waitMs: dueAt === null ? null : attemptedAt.getTime() - dueAt.getTime(),
    durationMs: observation.durationMs,
    connectMs: phases?.connectMs ?? null,
    headersMs: phases?.headersMs ?? null,
    bodyMs: phases?.bodyMs ?? null,
    settleMs: Math.round(facts.settleMs),
    traceId: delivery?.traceId ?? null,
  };
}

export function reasonOf(verdict: Verdict): string | null {
  return verdict.kind === 'delivered' ? null : verdict.reason;
}
