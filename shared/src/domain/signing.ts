import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { SECRET_PREFIXES } from './secret-prefixes.js';

/** Bytes of a signing secret (specification, section 5.2). */
export const SECRET_BYTES = 32;
/** How long the previous secret keeps signing after a rotation, in milliseconds (specification, section 5.3). */
export const ROTATION_GRACE_MS = 24 * 60 * 60 * 1000;

/** The text that a receiver stores: `whsec_` and standard base64 of the key. */
export function formatSecret(key: Uint8Array): string {
  return `${SECRET_PREFIXES.signingSecret}${Buffer.from(key).toString('base64')}`;
}

/** The HMAC key of a `whsec_…` text. Parse once and keep it: a raw key costs six times as much per signature. */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret.slice(SECRET_PREFIXES.signingSecret.length), 'base64'));
}

export interface Signed {
  readonly id: string;
  /** Unix seconds. */
  readonly timestamp: number;
  /** The bytes signed are the bytes sent. */
  readonly body: string;
}

/** The `webhook-signature` header of the Standard Webhooks format: one `v1,<base64>` for each key, in the order given. */
export function signatures({ id, timestamp, body }: Signed, keys: readonly KeyObject[]): string {
  const content = `${id}.${timestamp}.${body}`;
  return keys.map((key) => `v1,${createHmac('sha256', key).update(content).digest('base64')}`).join(' ');
}
