import { createFairQueue, type FairQueueLimits } from '@postrider/shared/runtime/fair-queue';
import type { BoundOperation } from '../document/bound-operations.js';
import { Refusal } from '../domain/refusal.js';

/** Each read takes up to six of the pool's 100 connections, which authentication needs as well. */
const LIMITS: FairQueueLimits = { total: 16, perKey: 4, holdMs: 60_000 };
/** Maximum number of waiting reads of one workspace. */
const MAX_WAITING = 200;

interface ReadLimits {
  /** A read that has waited this long, in milliseconds, has already been answered. */
  readonly answerWithinMs: number;
  readonly monotonicMs: () => number;
  readonly limits?: FairQueueLimits;
}

/**
 * Runs the reads of a workspace a few at a time, and workspaces in turn: costly queries of one take neither the connections
 * to the database nor the time of the others. Waiting reads beyond a limit are refused with `RateLimited`.
 */
export function limitReads(
  operations: readonly BoundOperation[],
  { answerWithinMs, monotonicMs, limits = LIMITS }: ReadLimits,
): BoundOperation[] {
  const queue = createFairQueue(limits);
  const inTurn = (workspaceId: string, read: () => Promise<unknown>): Promise<unknown> => {
    if (queue.waiting(workspaceId) >= MAX_WAITING) {
      throw Refusal.tooMany(`${MAX_WAITING} reads of the workspace are waiting for their turn`, 1_000);
    }
    const since = monotonicMs();
    return queue.run(workspaceId, () =>
      monotonicMs() - since < answerWithinMs
        ? read()
        : Promise.reject(new Refusal('Unavailable', 'The request waited too long. Try again.')),
    );
  };
  return operations.map((operation) => {
    if (operation.method !== 'get') return operation;
    return {
      ...operation,
      async run(call, input) {
        if (!('workspace' in call)) return operation.run(call, input);
        return inTurn(call.workspace.id, () => operation.run(call, input));
      },
    };
  });
}
