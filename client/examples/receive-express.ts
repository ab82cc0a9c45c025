import { type HandleDelivery, receive } from '@postrider/client';
import express from 'express';

export function expressReceiver(secret: string, handle: HandleDelivery): express.Router {
  const raw = express.raw({ type: () => true, limit: '1mb' });
  return express.Router().post('/hook', raw, async ({ headers, body }, response, next) => {
    try {
      // Express 4 gives an object where there is no body, and does not respond to an error unless `next` gets it.
      const request = { secret, headers, body: Buffer.isBuffer(body) ? body : '' };
      response.sendStatus(await receive(request, handle));
    } catch (error) {
      next(error);
    }
  });
}
