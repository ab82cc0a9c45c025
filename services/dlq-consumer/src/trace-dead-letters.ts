import type { Clock } from '@postrider/shared/ports/clock';
import type { Tracing } from '@postrider/shared/ports/tracing';
import type { SettleGroup } from './settle-group.js';

/** Records a span for each dead letter of a group, a sibling of the delivery's attempts. */
export function traceDeadLetters(
  settleGroup: SettleGroup,
  { tracing, clock }: { tracing: Tracing; clock: Clock },
): SettleGroup {
  return async (messages, heartbeat) => {
    const startedAt = clock.now();
    let results: Awaited<ReturnType<SettleGroup>> = [];
    try {
      results = await settleGroup(messages, heartbeat);
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
