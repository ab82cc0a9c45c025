import type { Tracing } from '@postrider/shared/ports/tracing';
import { parentSpanIdOf } from '@postrider/shared/runtime/trace';
import type { RequestHandler } from 'express';
import { contextOf } from './request-context.js';

/** Records each request as a span. Its id is set at the start, because it is the parent of the spans that the request causes. */
export function traceRequests(tracing: Tracing): RequestHandler {
  return (request, response, next) => {
    const context = contextOf(response);
    const spanId = tracing.newSpanId();
    const parentSpanId = parentSpanIdOf(request.get('traceparent'));
    const startedAt = new Date();
    context.spanId = spanId;
    response.once('close', () => {
      const { traceId, route } = context;
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
