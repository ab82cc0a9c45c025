import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { openInbox } from './inbox.mjs';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const inbox = openInbox(process.env.INBOX ?? 'inbox.sqlite', (id, { eventType }) =>
  console.log(`handled ${id} ${eventType}`),
);

const MAX_BYTES = 1024 * 1024;

/** Throws when the request is aborted. Returns null if the body is too large: anyone may send one, so it is not read to its end. */
async function bodyOf(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const server = createServer(async (request, response) => {
  let body;
  try {
    body = await bodyOf(request);
    if (body === null) {
      response.writeHead(413, { connection: 'close' }).end();
      return;
    }
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
