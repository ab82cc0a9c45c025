import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { type Address, listen } from './listen.js';
import { isAlive } from './liveness.js';
import { waitAtMost } from './with-timeout.js';

// The program of a thread that serves /healthz. On each request it asks the main thread, and does not wait for long.

/** How long a request waits for the reply of the main thread, in milliseconds. */
const REPLY_MS = 1_000;

if (parentPort === null) throw new Error('this program runs in a thread only');
const main = parentPort;
let alive = true;
let asked: { readonly at: number; readonly replied: PromiseWithResolvers<void> } | null = null;

main.on('message', (reply: boolean) => {
  alive = reply;
  asked?.replied.resolve();
  asked = null;
});

function ask(): Promise<void> {
  if (asked === null) {
    asked = { at: performance.now(), replied: Promise.withResolvers() };
    main.postMessage('ask');
  }
  return asked.replied.promise;
}

const server = createServer(async (request, response) => {
  if (request.url !== '/healthz') return void response.writeHead(404).end();
  await waitAtMost(ask(), REPLY_MS);
  const isWell = isAlive({ alive, overdueMs: asked === null ? 0 : performance.now() - asked.at });
  response.writeHead(isWell ? 200 : 503, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ status: isWell ? 'alive' : 'stuck' }));
});
const { port } = await listen(server, workerData as Address);
main.postMessage(port);
