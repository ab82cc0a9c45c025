import type { KeyObject } from 'node:crypto';
import { WebhookVerificationError } from 'standardwebhooks';

/** Receivers reject older and later timestamps. */
const TOLERANCE_SECONDS = 5 * 60;
const KEY_BYTES = 32;

/**
 * Verifies a `v1a` signature of Standard Webhooks. Runs where Node's crypto module is, without importing it: the rest of the
 * client runs in browsers, too.
 *
 * @param publicKey base64 of the 32 bytes
 * @returns the parsed body
 * @throws WebhookVerificationError if no signature matches or the timestamp is not current
 */
export function verifyEd25519(
  publicKey: string,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer,
): unknown {
  const { createPublicKey, verify } = process.getBuiltinModule('node:crypto');
  const bytes = Buffer.from(publicKey, 'base64');
  if (bytes.length !== KEY_BYTES) throw new Error(`A public key has ${KEY_BYTES} bytes.`);
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') };
  const key: KeyObject = createPublicKey({ key: jwk, format: 'jwk' });
  const { id, timestamp, signatures } = readHeaders(headers);
  const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(body)]);
  const isValid = signatures
    .filter((signature) => signature.startsWith('v1a,'))
    .some((signature) => verify(null, content, key, Buffer.from(signature.slice('v1a,'.length), 'base64')));
  if (!isValid) throw new WebhookVerificationError('No matching signature found');
  return JSON.parse(body.toString());
}

function readHeaders(headers: Readonly<Record<string, string>>) {
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const id = byName.get('webhook-id');
  const timestamp = byName.get('webhook-timestamp');
  const signature = byName.get('webhook-signature');
  if (!id || !timestamp || !signature) throw new WebhookVerificationError('Missing required headers');
  const ageSeconds = Date.now() / 1_000 - Number(timestamp);
  if (!/^\d+$/.test(timestamp)) throw new WebhookVerificationError('Invalid Signature Headers');
  if (ageSeconds > TOLERANCE_SECONDS) throw new WebhookVerificationError('Message timestamp too old');
  if (ageSeconds < -TOLERANCE_SECONDS) throw new WebhookVerificationError('Message timestamp too new');
  return { id, timestamp, signatures: signature.split(' ') };
}
