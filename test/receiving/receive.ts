import express from 'express';
import { Webhook } from 'standardwebhooks';

interface Delivery {
  readonly deliveryId: string;
  readonly eventType: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Your database: stores a delivery under its id. Does nothing if the id is known already. */
interface Inbox {
  add(webhookId: string, delivery: Delivery): Promise<void>;
}

/** @param secret the endpoint's signing secret, `whsec_…` */
export function createReceiver(secret: string, inbox: Inbox): express.Express {
  const webhook = new Webhook(secret);
  const app = express();

  app.post('/hooks', express.raw({ type: () => true, limit: '1mb' }), async (request, response, next) => {
    const headers = {
      'webhook-id': request.get('webhook-id') ?? '',
      'webhook-timestamp': request.get('webhook-timestamp') ?? '',
      'webhook-signature': request.get('webhook-signature') ?? '',
    };
    let delivery: Delivery;
    try {
      delivery = webhook.verify(request.body, headers) as Delivery;
    } catch {
      response.sendStatus(400); // Not from Postrider, or the secret is wrong. A 500 would be retried.
      return;
    }
    try {
      await inbox.add(headers['webhook-id'], delivery);
      response.sendStatus(200); // A worker takes the delivery from the inbox.
    } catch (error) {
      next(error); // Responds with 500, so that the delivery is sent again. Express 4 does not do this by itself.
    }
  });
  return app;
}
