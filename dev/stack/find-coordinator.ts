import { connect } from 'node:net';

const FIND_COORDINATOR = 10;
const VERSION = 0;
const TIMEOUT_MS = 2_000;
/** Offset of the error code in a response: after its length and the correlation id. */
const ERROR_AT = 8;

/**
 * Sends FindCoordinator to a broker and returns Kafka's error code, 0 for success. The request makes the broker create its
 * offsets topic, so that the first consumer need not wait for it; it succeeds only once the controller has registered the
 * broker.
 */
export function findCoordinator(address: string): Promise<number> {
  const colon = address.lastIndexOf(':');
  return new Promise((resolve, reject) => {
    const socket = connect(Number(address.slice(colon + 1)), address.slice(0, colon));
    const chunks: Buffer[] = [];
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('Kafka does not answer')));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('Kafka closed the connection')));
    socket.once('connect', () => socket.write(encodeRequest('postrider-dev')));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const received = Buffer.concat(chunks);
      if (received.length < ERROR_AT + 2) return;
      resolve(received.readInt16BE(ERROR_AT));
      socket.destroy();
    });
  });
}

/** Length, api, version, correlation id, client id; then the group. */
export function encodeRequest(group: string): Buffer {
  const header = Buffer.alloc(10);
  header.writeInt16BE(FIND_COORDINATOR, 0);
  header.writeInt16BE(VERSION, 2);
  header.writeInt32BE(1, 4);
  header.writeInt16BE(-1, 8);
  const name = Buffer.from(group);
  const length = Buffer.alloc(2);
  length.writeInt16BE(name.length);
  const body = Buffer.concat([header, length, name]);
  const size = Buffer.alloc(4);
  size.writeInt32BE(body.length);
  return Buffer.concat([size, body]);
}
