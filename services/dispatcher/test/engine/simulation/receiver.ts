import type { DeliverySummary } from '@postrider/shared/domain/delivery';
import { closedReason, originOf } from '@postrider/shared/domain/endpoint';
import type { Outcome } from '@postrider/shared/domain/judge';
import type { SendAttempt } from '../../../src/engine/sending/send-attempt.js';

/** The response of an endpoint and its delay in milliseconds. */
export interface Answer {
  readonly outcome: Outcome;
  readonly durationMs: number;
}

export interface Post {
  /** The row that was read for this POST. */
  readonly delivery: DeliverySummary;
  readonly ordinal: number;
  readonly at: Date;
  /** POSTs in flight from the same process to the same endpoint, this one included. */
  readonly inFlight: number;
  readonly inFlightInAll: number;
  /** Why the POST should not have been sent. */
  readonly closed: string | null;
}

/** All receivers. Each endpoint returns the responses of `script` in turn, cyclically. */
export function simulatedReceiver(script: readonly Answer[]) {
  const posts: Post[] = [];
  const turns = new Map<string, number>();
  const answerOf = (endpointId: string): Answer => {
    const turn = turns.get(endpointId) ?? 0;
    turns.set(endpointId, turn + 1);
    return script[turn % script.length]!;
  };
  return {
    posts,
    /** The poster of one process. */
    attempts(now: () => Date): SendAttempt {
      const running: string[] = [];
      return async ({ message: { ordinal } }, { delivery }, endpoint) => {
        running.push(endpoint.id);
        const attemptedAt = now();
        posts.push({
          delivery,
          ordinal,
          at: attemptedAt,
          inFlight: running.filter((one) => one === endpoint.id).length,
          inFlightInAll: running.length,
          closed: closedReason(endpoint),
        });
        const { outcome, durationMs } = answerOf(endpoint.id);
        await new Promise((resolve) => setTimeout(resolve, durationMs));
        running.splice(running.indexOf(endpoint.id), 1);
        const ids = { deliveryId: delivery.id, endpointId: endpoint.id, ordinal };
        const facts = { outcome, attemptedAt, endedAt: now(), durationMs, requestHeaders: {} };
        const timedOut = outcome.kind === 'unreachable' && outcome.reason === 'timeout';
        const { workspaceId, url } = endpoint;
        const reach = outcome.kind === 'answered' ? 'answered' : 'silent';
        const evidence = {
          workspaceId,
          endpointId: endpoint.id,
          origin: originOf(url),
          reach,
          durationMs,
        } as const;
        return {
          kind: 'attempted',
          observation: { kind: 'attempt', ...ids, ...facts },
          posted: { end: { durationMs, timedOut }, evidence },
        };
      };
    },
  };
}

export type Receiver = ReturnType<typeof simulatedReceiver>;
