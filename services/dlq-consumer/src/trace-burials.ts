import type { Clock } from '@postrider/shared/ports/clock';
import type { Tracing } from '@postrider/shared/ports/tracing';
import type { bury } from './bury.js';

type Bury = ReturnType<typeof bury>;

/** Tells each burial as a span, a sibling of the delivery's attempts. */
export function traceBurials(buryOne: Bury, { tracing, clock }: { tracing: Tracing; clock: Clock }): Bury {
  return async (message) => {
    const startedAt = clock.now();
    let result: Awaited<ReturnType<Bury>> | null = null;
    try {
      result = await buryOne(message);
      return result;
    } finally {
      tracing.record({
        name: 'dead-letter',
        kind: 'consumer',
        traceId: message.traceId,
        parentSpanId: message.parentSpanId ?? null,
        startedAt,
        endedAt: clock.now(),
        attributes: { 'postrider.delivery.id': message.deliveryId, 'postrider.result': result ?? 'failed' },
        failed: result === null,
      });
    }
  };
}
