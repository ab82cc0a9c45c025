import type { Clock } from '@postrider/shared/ports/clock';
import type { FanOutStore } from '@postrider/shared/ports/fan-out';
import type { Enqueue } from '@postrider/shared/ports/queue';
import type { Tracing } from '@postrider/shared/ports/tracing';
import type { DetailedAttemptResult, SendAttempt } from '../engine/send-attempt.js';
import type { createFanOut } from '../fan-out/fan-out.js';
import { isPostponed } from '../ports/poster.js';

type DetailedSendAttempt = SendAttempt<DetailedAttemptResult>;
type FanOut = ReturnType<typeof createFanOut>;

/** Decorators that record spans for calls of the dispatcher's ports. */
export interface DeliveryTracing {
  fanOut(fanOut: FanOut): FanOut;
  /** Records the event of each inserted row. */
  insert(insert: FanOutStore['insert']): FanOutStore['insert'];
  /** For the fan-out: adds the span of its event to each message. */
  enqueueFirst(enqueue: Enqueue): Enqueue;
  sendAttempt(sendAttempt: DetailedSendAttempt): DetailedSendAttempt;
}

/** A fan-out span is the child of the event's span; attempt spans are children of the fan-out span. */
export function traceDeliveries({ tracing, clock }: { tracing: Tracing; clock: Clock }): DeliveryTracing {
  const spanOfEvent = new Map<string, string>();
  const spanOfDelivery = new Map<string, string>();
  return {
    fanOut: (fanOut) => async (events, between) => {
      const startedAt = clock.now();
      for (const { payload } of events) spanOfEvent.set(payload.eventId, tracing.newSpanId());
      let failed = true;
      try {
        await fanOut(events, between);
        failed = false;
      } finally {
        const when = { startedAt, endedAt: clock.now() };
        for (const { payload, type, traceId, parentSpanId = null } of events) {
          const spanId = spanOfEvent.get(payload.eventId) ?? tracing.newSpanId();
          spanOfEvent.delete(payload.eventId);
          const attributes = { 'postrider.event.id': payload.eventId, 'postrider.event.type': type };
          tracing.record({
            name: 'fan-out',
            kind: 'consumer',
            traceId,
            spanId,
            parentSpanId,
            ...when,
            attributes,
            failed,
          });
        }
      }
    },
    insert: (insert) => async (rows) => {
      await insert(rows);
      for (const { id, payload } of rows) {
        const spanId = spanOfEvent.get(String(payload.eventId));
        if (spanId !== undefined) spanOfDelivery.set(id, spanId);
      }
    },
    enqueueFirst: (enqueue) => async (queued) => {
      const traced = queued.map(({ topic, message }) => {
        const parentSpanId = spanOfDelivery.get(message.deliveryId);
        spanOfDelivery.delete(message.deliveryId);
        return { topic, message: parentSpanId === undefined ? message : { ...message, parentSpanId } };
      });
      await enqueue(traced);
    },
    sendAttempt: (sendAttempt) => async (job, delivery, endpoint) => {
      const result = await sendAttempt(job, delivery, endpoint);
      if (isPostponed(result)) return result;
      const { outcome, attemptedAt, endedAt, ordinal } = result.observation;
      const isAnswered = outcome.kind === 'answered';
      tracing.record({
        name: 'attempt',
        kind: 'client',
        traceId: delivery.traceId,
        parentSpanId: job.message.parentSpanId ?? null,
        startedAt: attemptedAt,
        endedAt,
        attributes: {
          'postrider.delivery.id': delivery.id,
          'postrider.endpoint.id': endpoint.id,
          'postrider.attempt.ordinal': ordinal,
          ...(isAnswered
            ? { 'http.response.status_code': outcome.httpStatus }
            : { 'error.type': outcome.reason }),
        },
        failed: !isAnswered || outcome.httpStatus > 299,
      });
      return result;
    },
  };
}

/** The decorators while tracing is off. */
export const UNTRACED: DeliveryTracing = {
  fanOut: (fanOut) => fanOut,
  insert: (insert) => insert,
  enqueueFirst: (enqueue) => enqueue,
  sendAttempt: (sendAttempt) => sendAttempt,
};
