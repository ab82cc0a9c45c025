import type { Request, RequestHandler, Response } from 'express';
import { requireRead } from './require-read.js';

/** Handlers of the routes that need no token, by path. */
export type PublicRoutes = ReadonlyMap<
  string,
  (response: Response, request: Request) => Promise<void> | void
>;

/** Serves the routes that need no token, for GET and HEAD only. */
export function publicRoutes(routes: PublicRoutes): RequestHandler {
  return async (request, response, next) => {
    const answer = routes.get(request.path);
    if (answer === undefined) return next();
    requireRead(request, response);
    return answer(response, request);
  };
}

/** @param readiness lists the problems that prevent readiness; empty when the service is ready */
export function answerReadiness(readiness: () => Promise<readonly string[]>) {
  return async (response: Response): Promise<void> => {
    const problems = await readiness();
    const isReady = problems.length === 0;
    response.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : 'not ready', missing: problems });
  };
}

/** Responds unless the event loop is blocked. */
export function liveness(response: Response): void {
  response.json({ status: 'alive' });
}

export function sendJson(response: Response, bytes: Buffer): void {
  response.type('json').send(bytes);
}
