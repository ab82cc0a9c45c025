import type { Request, RequestHandler, Response } from 'express';
import { Refusal } from '../domain/refusal.js';

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
    if (request.method === 'GET' || request.method === 'HEAD') return answer(response, request);
    response.set('allow', 'GET, HEAD');
    throw new Refusal('MethodNotAllowed', 'This route answers to GET, HEAD.');
  };
}
