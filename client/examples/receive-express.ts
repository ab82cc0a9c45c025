import { type HandleDelivery, receive } from '@postrider/client';
import express from 'express';

export function expressReceiver(secret: string, handle: HandleDelivery): express.Router {
  return express.Router().post('/hook', express.raw({ type: () => true }), async (request, response) => {
    const { headers, body = '' } = request;
    response.sendStatus(await receive({ secret, headers, body }, handle));
  });
}
