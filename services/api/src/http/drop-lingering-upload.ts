import type { RequestHandler } from 'express';

/** How long a client whose request is answered may go on sending it, in milliseconds: time enough to read the answer. */
const LINGER_MS = 1_000;

/** Hangs up on clients that keep sending a body which nobody reads any more. */
export const dropLingeringUpload: RequestHandler = (request, response, next) => {
  response.once('finish', () => {
    if (request.complete) return;
    const timer = setTimeout(() => request.socket.destroy(), LINGER_MS);
    for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer));
  });
  next();
};
