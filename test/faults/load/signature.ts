import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a signature covers, and what it claims. */
export interface Signed {
  readonly id: string;
  /** Unix seconds, as text. */
  readonly timestamp: string;
  readonly signatures: string;
  readonly body: Buffer;
}

const TOLERANCE_S = 300;

/**
 * Would a receiver that holds these secrets take the request? Written from the specification (section 5.2), not from
 * the sender's code.
 */
export function verifies(
  { id, timestamp, signatures, body }: Signed,
  secrets: readonly string[],
  now: number,
): boolean {
  if (Math.abs(now / 1_000 - Number(timestamp)) > TOLERANCE_S) return false;
  const claimed = signatures.split(' ').map((one) => Buffer.from(one.replace(/^v1,/, ''), 'base64'));
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
    return claimed.some((one) => one.length === digest.length && timingSafeEqual(one, digest));
  });
}
