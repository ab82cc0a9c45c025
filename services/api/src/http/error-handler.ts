import type { Log } from '@postrider/shared/ports/log';
import type { ErrorRequestHandler, Response } from 'express';
import { Refusal, type RefusalTag } from '../domain/refusal.js';
import { problemOf } from './problem.js';
import { contextOf } from './request-context.js';

export interface ErrorHandlerParts {
  /** Whether an error means that the database is unreachable. */
  readonly isDatabaseAway: (error: unknown) => boolean;
  readonly log: Log;
}

/** The `Retry-After` while the database is unreachable, in seconds. */
const RETRY_AFTER_S = 5;
/** The `Retry-After` of refusals for which it is constant, in seconds. */
const RETRY_AFTER_OF: Partial<Record<RefusalTag, number>> = {
  Unavailable: RETRY_AFTER_S,
  TooManyStreams: 10,
};

/** Converts all errors to responses. Unexpected errors are logged and hidden from the caller. */
export function errorHandler(parts: ErrorHandlerParts): ErrorRequestHandler {
  const explain = createErrorExplainer(parts);
  return (error: unknown, _request, response, _next) => {
    const { traceId } = contextOf(response);
    if (response.writableEnded) {
      const facts = { event: 'http.late_error', err: error, traceId };
      parts.log.debug(facts, 'a request failed after its response was sent');
      return;
    }
    const refusal = explain(error, traceId);
    if (response.headersSent) response.destroy();
    else answerRefusal(response, refusal);
  };
}

/** Converts an error of an operation to a refusal for the caller. Details for operators go to the log. */
export function createErrorExplainer({ isDatabaseAway, log }: ErrorHandlerParts) {
  return (error: unknown, traceId: string): Refusal => {
    const refusal = refusalOf(error, isDatabaseAway);
    if (refusal.tag === 'Internal') {
      log.error({ event: 'http.internal_error', err: error, traceId }, 'a request failed unexpectedly');
    }
    if (refusal.tag === 'Unavailable') {
      log.warn(
        { event: 'http.unavailable', err: error, traceId },
        'a request failed because something that it needs is unavailable',
      );
    }
    return refusal;
  };
}

/** Responds with a problem. */
export function answerRefusal(response: Response, refusal: Refusal): void {
  const problem = problemOf(refusal, contextOf(response).traceId);
  const retryAfterS = RETRY_AFTER_OF[refusal.tag] ?? refusal.retryAfterS;
  if (retryAfterS !== null) response.set('retry-after', String(retryAfterS));
  if (refusal.tag === 'Unauthorized' && !response.hasHeader('www-authenticate'))
    response.set('www-authenticate', 'Bearer');
  // The framework's setter would add a charset, which this media type does not have.
  response.status(problem.status).setHeader('content-type', 'application/problem+json');
  response.end(JSON.stringify(problem));
}

function refusalOf(error: unknown, isDatabaseAway: ErrorHandlerParts['isDatabaseAway']): Refusal {
  if (error instanceof Refusal) return error;
  if (isDatabaseAway(error)) {
    return new Refusal('Unavailable', `The database is unreachable. Try again in ${RETRY_AFTER_S} seconds.`);
  }
  return new Refusal('Internal', 'An internal error occurred. Quote the trace id to support.');
}
