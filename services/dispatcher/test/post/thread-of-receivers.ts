import { createServer } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { sleep } from '@postrider/shared/runtime/sleep';
import { startHostileReceiver } from '@postrider/shared/testing/hostile-receiver';
import { nameServer } from '@postrider/shared/testing/name-server';
import { SELF_SIGNED } from './certificate.js';

/** Longer than it takes until the main thread is blocked, in milliseconds. */
const ANSWERS_AFTER_MS = 100;
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n';

/** Where the servers of this thread are. */
export interface Addresses {
  readonly slowHead: string;
  readonly slowBody: string;
  /** Responds `ok` to requests for hook.test. */
  readonly secure: string;
  readonly names: string;
  readonly proxy: string;
}

/** Reports what waits for a response, and continues when the response is due. */
const due = async (asked: string) => {
  parentPort?.postMessage({ asked });
  await sleep(ANSWERS_AFTER_MS);
};

const slowHead = await startHostileReceiver(async (socket) => {
  await due('head');
  socket.write(`${HEAD}ok`);
});
let serverName = '';
const secure = await startHostileReceiver(
  (socket) => socket.write(`${HEAD}${serverName === 'hook.test' ? 'ok' : 'no'}`),
  {
    tls: {
      ...SELF_SIGNED,
      SNICallback: (name, done) => {
        serverName = name;
        done(null);
      },
    },
  },
);
const slowBody = await startHostileReceiver(async (socket) => {
  socket.write(HEAD);
  await due('body');
  socket.write('ok');
});
const names = await nameServer(async (name) => {
  await due(name);
  return { addresses: name === 'hook.test' ? ['127.0.0.1', '::1'] : ['127.0.0.1'] };
});
const proxy = createServer((client) => {
  client.on('error', () => {});
  client.once('data', async () => {
    await due('proxy');
    client.write('HTTP/1.1 200 OK\r\n\r\n');
  });
});
await new Promise<void>((listens) => proxy.listen(0, '127.0.0.1', listens));
const { port } = proxy.address() as { port: number };
const addresses: Addresses = {
  slowHead: slowHead.url,
  slowBody: slowBody.url,
  secure: secure.url,
  names: names.address,
  proxy: `http://127.0.0.1:${port}`,
};
parentPort?.postMessage(addresses);
