import type { Log } from '@postrider/shared/ports/log';
import type { RequestHandler } from 'express';
import { exchangeOf } from './exchange.js';

/** One line for each request, always with the same fields. The path itself stays out: the route says enough. */
export function accessLog(log: Log): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    response.once('close', () => {
      const { traceId, route, caller } = exchangeOf(response);
      const facts = {
        event: 'http.request',
        method: request.method,
        route: route?.template ?? null,
        operation: route?.operationId ?? null,
        status: response.writableFinished ? response.statusCode : null,
        durationMs: Math.round((performance.now() - started) * 10) / 10,
        workspaceId: caller?.workspaceId ?? null,
        actorId: caller?.actorId ?? null,
        traceId,
      };
      log.info(facts, response.writableFinished ? 'answered' : 'the caller went away');
    });
    next();
  };
}
