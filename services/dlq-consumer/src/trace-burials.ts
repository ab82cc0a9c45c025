import type { Clock } from '@postrider/shared/ports/clock';
import type { Tracing } from '@postrider/shared/ports/tracing';
import type { BuryGroup } from './isolate-poison.js';

/** Tells each burial of a group as a span, a sibling of the delivery's attempts. */
export function traceBurials(
  buryGroup: BuryGroup,
  { tracing, clock }: { tracing: Tracing; clock: Clock },
): BuryGroup {
  return async (messages, heartbeat) => {
    const startedAt = clock.now();
    let fates: Awaited<ReturnType<BuryGroup>> = [];
    try {
      fates = await buryGroup(messages, heartbeat);
      return fates;
    } finally {
      const endedAt = clock.now();
      for (const [index, { deliveryId, traceId, parentSpanId = null }] of messages.entries()) {
        const fate = fates[index] ?? 'failed';
        tracing.record({
          name: 'dead-letter',
          kind: 'consumer',
          traceId,
          parentSpanId,
          startedAt,
          endedAt,
          attributes: { 'postrider.delivery.id': deliveryId, 'postrider.result': fate },
          failed: fate === 'failed' || fate === 'poisoned',
        });
      }
    }
  };
}
