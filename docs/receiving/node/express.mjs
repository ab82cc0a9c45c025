import express from 'express';
import { Webhook } from 'standardwebhooks';
import { openInbox } from './inbox.mjs';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const inbox = openInbox(process.env.INBOX ?? 'inbox.sqlite', (id, { eventType }) =>
  console.log(`handled ${id} ${eventType}`),
);

const app = express();
// The raw body, whatever its type; by default Express refuses more than 100 KB. Do not put express.json() before this route.
app.post('/hook', express.raw({ type: () => true, limit: '1mb' }), (request, response) => {
  const body = request.body;
  try {
    webhook.verify(body, request.headers);
  } catch {
    response.sendStatus(400); // Not from Postrider, or the secret is wrong. A 500 would be retried.
    return;
  }
  inbox.add(request.headers['webhook-id'], body.toString());
  response.sendStatus(204);
});
app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => console.log('listening'));
