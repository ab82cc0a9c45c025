import type { EndpointSecrets } from './endpoint.js';
import type { SealedSecret } from './sealed-secret.js';
import { ROTATION_GRACE_MS } from './signing.js';

/** Replaces the current secret, which keeps signing during the grace window; an older one is dropped. */
export function rotate(secrets: EndpointSecrets, next: SealedSecret, at: Date): EndpointSecrets {
  const expiresAt = new Date(at.getTime() + ROTATION_GRACE_MS);
  return { version: secrets.version + 1, current: next, previous: { secret: secrets.current, expiresAt } };
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
