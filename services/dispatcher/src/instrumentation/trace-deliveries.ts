import { judge } from '@postrider/shared/domain/judge';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Tracing } from '@postrider/shared/ports/tracing';
import type { SendAttempt } from '../engine/sending/send-attempt.js';
import type { FanOutObserver } from '../fan-out/fan-out.js';

/** Decorators that record spans for calls of the dispatcher's ports. */
export interface DeliveryTracing {
  readonly observer: FanOutObserver;
  sendAttempt(sendAttempt: SendAttempt): SendAttempt;
}

interface TracingParts {
  readonly tracing: Tracing;
  readonly clock: Clock;
  /** In milliseconds. */
  readonly monotonicMs: () => number;
}

/** A fan-out span is the child of the event's span; attempt spans are children of the fan-out span. */
export function traceDeliveries({ tracing, clock, monotonicMs }: TracingParts): DeliveryTracing {
  return {
    observer: {
      opened: () => tracing.newSpanId(),
      closed({ event, spanId, readAt }) {
        if (spanId === null) return;
        const { payload, type, traceId, parentSpanId = null } = event;
        const endedAt = clock.now();
        tracing.record({
          name: 'fan-out',
          kind: 'consumer',
          traceId,
          spanId,
          parentSpanId,
          startedAt: new Date(endedAt.getTime() - (monotonicMs() - readAt)),
          endedAt,
          attributes: { 'postrider.event.id': payload.eventId, 'postrider.event.type': type },
          failed: false,
        });
      },
    },
    sendAttempt: (sendAttempt) => async (job, row, endpoint) => {
      const result = await sendAttempt(job, row, endpoint);
      if (result.kind !== 'attempted') return result;
      const { outcome, attemptedAt, endedAt, ordinal } = result.observation;
      const isAnswered = outcome.kind === 'answered';
      tracing.record({
        name: 'attempt',
        kind: 'client',
        traceId: row.delivery.traceId,
        parentSpanId: job.message.parentSpanId ?? null,
        startedAt: attemptedAt,
        endedAt,
        attributes: {
          'postrider.delivery.id': row.delivery.id,
          'postrider.endpoint.id': endpoint.id,
          'postrider.attempt.ordinal': ordinal,
          ...(isAnswered
            ? { 'http.response.status_code': outcome.httpStatus }
            : { 'error.type': outcome.reason }),
        },
        failed: judge(outcome).kind !== 'delivered',
      });
      return result;
    },
  };
}

/** The decorators while tracing is off. */
export const UNTRACED: DeliveryTracing = {
  observer: { opened: () => null, closed: () => {} },
  sendAttempt: (sendAttempt) => sendAttempt,
};
