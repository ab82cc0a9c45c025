import type { Clock } from '@postrider/shared/ports/clock';
import type { Tracing } from '@postrider/shared/ports/tracing';
import type { DeadLetterGroup } from './isolate-poison.js';

/** Tells each burial of a group as a span, a sibling of the delivery's attempts. */
export function traceDeadLetters(
  deadLetterGroup: DeadLetterGroup,
  { tracing, clock }: { tracing: Tracing; clock: Clock },
): DeadLetterGroup {
  return async (messages, heartbeat) => {
    const startedAt = clock.now();
    let results: Awaited<ReturnType<DeadLetterGroup>> = [];
    try {
      results = await deadLetterGroup(messages, heartbeat);
      return results;
    } finally {
      const endedAt = clock.now();
      for (const [index, { deliveryId, traceId, parentSpanId = null }] of messages.entries()) {
        const result = results[index] ?? 'failed';
        tracing.record({
          name: 'dead-letter',
          kind: 'consumer',
          traceId,
          parentSpanId,
          startedAt,
          endedAt,
          attributes: { 'postrider.delivery.id': deliveryId, 'postrider.result': result },
          failed: result === 'failed' || result === 'poisoned',
        });
      }
    }
  };
}
