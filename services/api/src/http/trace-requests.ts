import type { Tracing } from '@postrider/shared/ports/tracing';
import { parentSpanIdOf } from '@postrider/shared/runtime/trace';
import type { RequestHandler } from 'express';
import { exchangeOf } from './exchange.js';

/** Tells each request as a span. Its id is known from the start: what the request causes names it as its parent. */
export function traceRequests(tracing: Tracing): RequestHandler {
  return (request, response, next) => {
    const exchange = exchangeOf(response);
    const spanId = tracing.newSpanId();
    const parentSpanId = parentSpanIdOf(request.get('traceparent'));
    const startedAt = new Date();
    exchange.spanId = spanId;
    response.once('close', () => {
      const { traceId, route } = exchange;
      const name = route?.operationId ?? `${request.method} ${route?.template ?? 'unknown'}`;
      const attributes = {
        'http.request.method': request.method,
        'http.response.status_code': response.statusCode,
      };
      const failed = response.statusCode >= 500 || !response.writableFinished;
      const when = { startedAt, endedAt: new Date() };
      tracing.record({ name, kind: 'server', traceId, spanId, parentSpanId, ...when, attributes, failed });
    });
    next();
  };
}
