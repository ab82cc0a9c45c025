import type { Log } from '@postrider/shared/ports/log';
import type { RequestHandler } from 'express';
import type { RateBucket } from '../document/openapi.js';
import { contextOf } from './request-context.js';

/** The facts of a finished request. */
export interface RequestFacts {
  readonly operation: string | null;
  readonly bucket: RateBucket | null;
  /** Null when the client disconnected before the response was sent. */
  readonly status: number | null;
  /** Null for a stream, which lasts as long as its client wants. */
  readonly durationMs: number | null;
}

interface AccessLogParts {
  readonly log: Log;
  /** Called for each request once it is over. */
  readonly observe: (facts: RequestFacts) => void;
}

/** Logs one line for each request, always with the same fields: the route, never the path that the client sent. */
export function accessLog({ log, observe }: AccessLogParts): RequestHandler {
  return (request, response, next) => {
    const started = performance.now();
    response.once('close', () => {
      const { traceId, route, caller, isStream = false } = contextOf(response);
      const operation = route?.operationId ?? null;
      const status = response.writableFinished || isStream ? response.statusCode : null;
      const durationMs = performance.now() - started;
      observe({ operation, bucket: route?.bucket ?? null, status, durationMs: isStream ? null : durationMs });
      const facts = {
        event: 'http.request',
        method: request.method,
        route: route?.template ?? null,
        operation,
        status,
        durationMs: Math.round(durationMs * 10) / 10,
        workspaceId: caller?.workspaceId ?? null,
        actorId: caller?.actorId ?? null,
        traceId,
      };
      log.info(facts, status === null ? 'the client disconnected' : 'answered');
    });
    next();
  };
}
