import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { openInbox } from './inbox.mjs';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const inbox = openInbox(process.env.INBOX ?? 'inbox.sqlite', (id, { eventType }) =>
  console.log(`handled ${id} ${eventType}`),
);

const server = createServer(async (request, response) => {
  let body;
  try {
    body = await buffer(request); // Throws when the request is aborted.
    webhook.verify(body, request.headers);
  } catch {
    response.writeHead(400).end(); // Not from Postrider, or the secret is wrong. A 500 would be retried.
    return;
  }
  try {
    inbox.add(request.headers['webhook-id'], body.toString());
    response.writeHead(204).end();
  } catch (error) {
    console.error(error);
    response.writeHead(500).end(); // It is sent again.
  }
});
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => console.log('listening'));
