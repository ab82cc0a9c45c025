import { createHash } from 'node:crypto';
import { Refusal } from '@postrider/shared/domain/refusal';
import type { IdempotentRequest } from '../ports/unit-of-work.js';

interface Repeatable {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer | null;
  /** The value of the `Idempotency-Key` header. */
  readonly key: string | undefined;
}

const KEY = /^[!-~]{1,255}$/;

/**
 * The request as something that may be sent again; whose key it is remains to be said.
 *
 * @returns null when it carries no key, or changes nothing that could happen twice
 * @throws Refusal `InvalidRequest` when the key is empty, too long or not plain text
 */
export function idempotentRequest({
  method,
  path,
  body,
  key,
}: Repeatable): Omit<IdempotentRequest, 'scope'> | null {
  if (method !== 'POST' || key === undefined) return null;
  if (!KEY.test(key)) {
    const message = 'must be 1 to 255 visible ASCII characters';
    throw new Refusal('InvalidRequest', `Idempotency-Key ${message}.`, [
      { path: 'Idempotency-Key', message },
    ]);
  }
  const digest = createHash('sha256').update(`${method} ${path}\n`);
  const fingerprint = digest.update(body ?? '').digest('hex');
  return { key, fingerprint };
}
