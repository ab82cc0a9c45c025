import { type HandleDelivery, receive } from '@postrider/client';
import express from 'express';

export function expressReceiver(secret: string, handle: HandleDelivery): express.Router {
  const raw = express.raw({ type: () => true, limit: '1mb' });
  return express.Router().post('/hook', raw, async (request, response) => {
    const { headers, body = '' } = request;
    response.sendStatus(await receive({ secret, headers, body }, handle));
  });
}
