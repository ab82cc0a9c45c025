import { createServer } from 'node:net';
import { parentPort } from 'node:worker_threads';

// With a backlog of 1, two connections are established although nothing accepts them. The next one gets no answer.
const server = createServer();
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  parentPort?.postMessage(server.address());
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
