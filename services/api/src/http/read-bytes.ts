import type { IncomingMessage } from 'node:http';
import { Refusal } from '../domain/refusal.js';

/** The largest request body, in bytes. */
const MAX_BODY_BYTES = 64 * 1024;

/**
 * Reads a request body. It stops at the first byte beyond the limit.
 *
 * @throws Refusal `UnsupportedMediaType` when it is compressed, `PayloadTooLarge`, `InvalidRequest` when it ends early
 */
export async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new Refusal('UnsupportedMediaType', 'Send the body without compression.');
  }
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge();
  return collect(request);
}

function collect(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else settle(() => reject(tooLarge()));
    };
    const finish = () => settle(() => resolve(Buffer.concat(chunks)));
    const fail = () => settle(() => reject(new Refusal('InvalidRequest', 'The request body ended early.')));
    const settle = (end: () => void) => {
      request.off('data', take).off('end', finish).off('error', fail).off('close', fail).pause();
      end();
    };
    request.on('data', take).on('end', finish).on('error', fail).on('close', fail);
  });
}

function tooLarge(): Refusal {
  return new Refusal('PayloadTooLarge', `A request body has at most ${MAX_BODY_BYTES} bytes.`);
}
