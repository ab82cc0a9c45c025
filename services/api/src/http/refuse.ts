import { Refusal } from '@postrider/shared/domain/refusal';
import type { Log } from '@postrider/shared/ports/log';
import { ValidateError } from '@tsoa/runtime';
import type { ErrorRequestHandler, Response } from 'express';
import { exchangeOf } from './exchange.js';
import { problemOf } from './problem.js';

export interface RefuseParts {
  /** Does this error say that the database cannot be reached? */
  readonly isDatabaseAway: (error: unknown) => boolean;
  readonly log: Log;
}

/** When to try again while the database is away, in seconds. */
const RETRY_AFTER_S = 5;

/** The one place where errors become answers. Whatever nobody expected is logged and says nothing about itself. */
export function refuse(parts: RefuseParts): ErrorRequestHandler {
  const explain = explanation(parts);
  return (error: unknown, _request, response, _next) => {
    const { traceId } = exchangeOf(response);
    if (response.writableEnded) {
      const facts = { event: 'http.late_error', err: error, traceId };
      parts.log.debug(facts, 'a request failed after it was answered');
      return;
    }
    const refusal = explain(error, traceId);
    if (response.headersSent) response.destroy();
    else answerRefusal(response, refusal);
  };
}

/** Turns whatever an operation throws into what its caller is told; what only operators may read goes to the log. */
export function explanation({ isDatabaseAway, log }: RefuseParts) {
  return (error: unknown, traceId: string): Refusal => {
    const refusal = refusalOf(error, isDatabaseAway);
    if (refusal.tag === 'Internal') {
      log.error({ event: 'http.internal_error', err: error, traceId }, 'a request met an unexpected error');
    }
    if (refusal.tag === 'Unavailable') {
      log.warn({ event: 'http.unavailable', err: error, traceId }, 'a request could not be answered');
    }
    return refusal;
  };
}

/** Answers with a problem. */
export function answerRefusal(response: Response, refusal: Refusal): void {
  const problem = problemOf(refusal, exchangeOf(response).traceId);
  if (refusal.tag === 'Unavailable') response.set('retry-after', String(RETRY_AFTER_S));
  if (refusal.tag === 'Unauthorized') response.set('www-authenticate', 'Bearer');
  // Past the framework's own setter, which would add a charset that this type does not have.
  response.status(problem.status).setHeader('content-type', 'application/problem+json');
  response.end(JSON.stringify(problem));
}

function refusalOf(error: unknown, isDatabaseAway: RefuseParts['isDatabaseAway']): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof ValidateError) return invalid(error);
  if (isDatabaseAway(error)) {
    return new Refusal(
      'Unavailable',
      `The database cannot be reached. Try again in ${RETRY_AFTER_S} seconds.`,
    );
  }
  return new Refusal('Internal', 'Something broke on our side. Quote the trace id to support.');
}

/** Admission has checked the same input against the document before, so this is a safety net. */
function invalid({ fields }: ValidateError): Refusal {
  const mistakes = Object.keys(fields).map((path) => ({
    path: path.replace(/^body\./, ''),
    message: 'is not valid',
  }));
  return new Refusal('InvalidRequest', 'The input does not match the document at /openapi.json.', mistakes);
}
