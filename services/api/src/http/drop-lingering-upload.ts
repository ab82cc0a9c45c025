import type { RequestHandler } from 'express';

/** How long a client may keep sending a request that is already answered, in milliseconds: enough to read the answer. */
const LINGER_MS = 1_000;

/** Closes the connection of a client that keeps sending the body of an answered request. */
export const dropLingeringUpload: RequestHandler = (request, response, next) => {
  response.once('finish', () => {
    if (request.complete) return;
    const timer = setTimeout(() => request.socket.destroy(), LINGER_MS);
    for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer));
  });
  next();
};
