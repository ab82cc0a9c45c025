import type { RequestHandler } from 'express';

/** How long a client may keep sending a request after its response, in milliseconds: enough to read the response. */
const LINGER_MS = 1_000;

/** Closes the connection of a client that keeps sending a body after the response. */
export const dropLingeringUpload: RequestHandler = (request, response, next) => {
  response.once('finish', () => {
    if (request.complete) return;
    const timer = setTimeout(() => request.socket.destroy(), LINGER_MS);
    for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer));
  });
  next();
};
