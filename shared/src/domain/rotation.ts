import type { EndpointSecrets, SealedKey } from './endpoint.js';
import type { SealedSecret } from './sealed-secret.js';
import { ROTATION_GRACE_MS, type SigningMethod } from './signing.js';

/** The keys of an endpoint after a change. The previous one still signs. */
export type RotatedSecrets = EndpointSecrets & {
  readonly previous: NonNullable<EndpointSecrets['previous']>;
};

/**
 * Replaces the current key, which keeps signing during the grace window; an older one is dropped. A secret that was never
 * returned is replaced without keeping it: no receiver has it, and the key before it signs during the window instead.
 */
export function rotate(secrets: EndpointSecrets, next: SealedKey, at: Date): RotatedSecrets {
  const { secret: current, publicKey } = next;
  const { previous } = secrets;
  const isKept = secrets.isUnseen === true && previous !== null && previous.expiresAt > at;
  const replaced = isKept ? previous.secret : secrets.current;
  return {
    version: secrets.version + 1,
    current,
    publicKey,
    isUnseen: false,
    previous: { secret: replaced, expiresAt: new Date(at.getTime() + ROTATION_GRACE_MS) },
  };
}

/** Continues with a key of another kind. Only the answer of the next rotation returns a new HMAC secret. */
export function changeSigning(secrets: EndpointSecrets, next: SealedKey, at: Date): RotatedSecrets {
  return { ...rotate(secrets, next, at), isUnseen: next.publicKey === null };
}

export function signingMethodOf({ publicKey }: Pick<EndpointSecrets, 'publicKey'>): SigningMethod {
  return publicKey ? 'ed25519' : 'hmac-sha256';
}

/** The secrets that sign at a time, the current one first. */
export function activeSecrets(secrets: EndpointSecrets, at: Date): readonly SealedSecret[] {
  const { current, previous } = secrets;
  return previous !== null && previous.expiresAt > at ? [current, previous.secret] : [current];
}

/** When the previous secret stops signing; null if there is none. */
export function previousSecretExpiresAt(secrets: EndpointSecrets | null, at: Date): Date | null {
  const expiresAt = secrets?.previous?.expiresAt ?? null;
  return expiresAt !== null && expiresAt > at ? expiresAt : null;
}
