import type { Log } from '@postrider/shared/ports/log';
import type { RequestHandler } from 'express';
import { Refusal } from '../domain/refusal.js';
import { answerRefusal } from './error-handler.js';
import { contextOf } from './request-context.js';

/** Answers `Unavailable` when a request takes longer than `withinMs`. A later result of its handler is discarded. */
export function deadline(withinMs: number, log: Log): RequestHandler {
  return (_request, response, next) => {
    const timer = setTimeout(() => {
      if (response.headersSent) return;
      log.warn({ event: 'http.deadline', traceId: contextOf(response).traceId }, 'a request took too long');
      answerRefusal(
        response,
        new Refusal('Unavailable', `There was no response within ${withinMs} ms. Try again.`),
      );
    }, withinMs);
    response.once('close', () => clearTimeout(timer));
    next();
  };
}
