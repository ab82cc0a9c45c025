import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { Refusal } from '../domain/refusal.js';
import type { OpenCall } from '../operations/call.js';

const KEY = /^[!-~]{1,255}$/;

/**
 * Reads the `Idempotency-Key` of a request. The calling code adds the scope of the key.
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
  checkKey(key, 'Idempotency-Key');
  return { key, fingerprint: fingerprintOf(`${request.method} ${request.path}`, body ?? '') };
}

/** @throws Refusal `InvalidRequest` when the key is empty, too long or not visible ASCII */
export function checkKey(key: string, path: string): void {
  if (KEY.test(key)) return;
  throw Refusal.invalid({ path, message: 'must be 1 to 255 visible ASCII characters' });
}

/** Distinguishes requests with the same key. */
export function fingerprintOf(target: string, body: string | Buffer): string {
  return createHash('sha256').update(`${target}\n`).update(body).digest('hex');
}
