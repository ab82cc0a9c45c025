import { newTraceId, traceIdOf } from '@postrider/shared/runtime/trace';
import type { RequestHandler } from 'express';
import { contextOf } from './request-context.js';

/** Sets the headers of every response. Continues a valid incoming trace id. Forbids caching, as responses may contain secrets. */
export const responseHeaders: RequestHandler = (request, response, next) => {
  const traceId = traceIdOf(request.get('traceparent')) ?? newTraceId();
  contextOf(response).traceId = traceId;
  response.set({ 'x-trace-id': traceId, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  next();
};
