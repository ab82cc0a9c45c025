import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  sign,
} from 'node:crypto';
import { SECRET_PREFIXES } from './secret-prefixes.js';

export const SIGNING_METHODS = ['hmac-sha256', 'ed25519'] as const;
export type SigningMethod = (typeof SIGNING_METHODS)[number];

/** Bytes of a signing secret (specification, section 5.2), and of the seed of a key pair. */
export const SECRET_BYTES = 32;
/** How long the previous secret keeps signing after a rotation, in milliseconds (specification, section 5.3). */
export const ROTATION_GRACE_MS = 24 * 60 * 60 * 1000;

/** The text that a receiver stores: `whsec_` and standard base64 of the key. */
export function formatSecret(key: Uint8Array): string {
  return `${SECRET_PREFIXES.signingSecret}${Buffer.from(key).toString('base64')}`;
}

/** A new key: the text that signs, and the text that receivers verify with if that is another one. */
export interface NewKey {
  /** `whsec_…`, or `whsk_…` for a key pair. */
  readonly secret: string;
  /** `whpk_…`; null for HMAC, where receivers have the secret. */
  readonly publicKey: string | null;
}

/** @param bytes 32 random bytes */
export function newKey(method: SigningMethod, bytes: Uint8Array): NewKey {
  if (method === 'hmac-sha256') return { secret: formatSecret(bytes), publicKey: null };
  const secret = `${SECRET_PREFIXES.privateKey}${Buffer.from(bytes).toString('base64')}`;
  const { x = '' } = createPublicKey(signingKey(secret)).export({ format: 'jwk' });
  const publicKey = `${PUBLIC_KEY_PREFIX}${Buffer.from(x, 'base64url').toString('base64')}`;
  return { secret, publicKey };
}

/** Standard Webhooks, asymmetric: the prefix of the key that receivers verify with. It is no secret. */
export const PUBLIC_KEY_PREFIX = 'whpk_';
/** The bytes before the seed in a PKCS #8 document (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The key of a `whsec_…` or `whsk_…` text. Parse once and keep it: a raw key costs six times as much per signature.
 *
 * @throws Error if the text is neither
 */
export function signingKey(secret: string): KeyObject {
  const prefix = [SECRET_PREFIXES.signingSecret, SECRET_PREFIXES.privateKey].find((one) =>
    secret.startsWith(one),
  );
  if (prefix === undefined) throw new Error('what was decrypted is no signing key');
  const bytes = Buffer.from(secret.slice(prefix.length), 'base64');
  if (prefix === SECRET_PREFIXES.signingSecret) return createSecretKey(bytes);
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, bytes]), format: 'der', type: 'pkcs8' });
}

export interface Signed {
  readonly id: string;
  /** Unix seconds. */
  readonly timestamp: number;
  /** The bytes signed are the bytes sent. */
  readonly body: string;
}

/** The `webhook-signature` header of the Standard Webhooks format: one signature for each key, in the order given. */
export function signatures({ id, timestamp, body }: Signed, keys: readonly KeyObject[]): string {
  const content = `${id}.${timestamp}.${body}`;
  return keys.map((key) => signatureOf(content, key)).join(' ');
}

/** `v1,<base64>` by HMAC-SHA256, or `v1a,<base64>` by ed25519. */
function signatureOf(content: string, key: KeyObject): string {
  if (key.asymmetricKeyType === 'ed25519')
    return `v1a,${sign(null, Buffer.from(content), key).toString('base64')}`;
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}
