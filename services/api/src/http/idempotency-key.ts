import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { Refusal } from '../domain/refusal.js';
import type { OpenCall } from '../operations/call.js';

const KEY = /^[!-~]{1,255}$/;

/**
 * Reads the `Idempotency-Key` of a request. The scope of the key is the caller's to add.
 *
 * @returns null when the request carries no key or is not a POST
 * @throws Refusal `InvalidRequest` when the key is empty, too long or not visible ASCII
 */
export function idempotentRequest(
  request: Pick<Request, 'method' | 'path' | 'headers'>,
  body: Buffer | null,
): OpenCall['idempotency'] {
  const key = request.headers['idempotency-key'];
  if (request.method !== 'POST' || typeof key !== 'string') return null;
  if (!KEY.test(key)) {
    const message = 'must be 1 to 255 visible ASCII characters';
    throw new Refusal('InvalidRequest', `Idempotency-Key ${message}.`, [
      { path: 'Idempotency-Key', message },
    ]);
  }
  const digest = createHash('sha256').update(`${request.method} ${request.path}\n`);
  return { key, fingerprint: digest.update(body ?? '').digest('hex') };
}
