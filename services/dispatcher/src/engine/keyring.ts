import type { KeyObject } from 'node:crypto';
import type { EndpointTarget } from '@postrider/shared/domain/endpoint';
import { activeSecrets } from '@postrider/shared/domain/rotation';
import type { SealedSecret } from '@postrider/shared/domain/sealed-secret';
import { signingKey } from '@postrider/shared/domain/signing';
import { LRUCache } from 'lru-cache';

/** Returns the keys that sign for an endpoint at a moment, the current one first. Throws if a secret cannot be opened. */
export type Keyring = (endpoint: EndpointTarget, at: Date) => readonly KeyObject[];

const MAX_KEYS = 20_000;

/**
 * Opens secrets and caches their key objects by endpoint and ciphertext. So a rotation never uses an old key, and a value
 * that was copied from another endpoint is opened, which fails.
 */
export function createKeyring(
  open: (sealed: SealedSecret, context: string) => string,
  maxKeys = MAX_KEYS,
): Keyring {
  const keys = new LRUCache<string, KeyObject>({ max: maxKeys });
  const keyOf = (sealed: SealedSecret, endpointId: string): KeyObject => {
    const cacheKey = `${endpointId} ${sealed.keyId} ${sealed.nonce} ${sealed.box}`;
    const cached = keys.get(cacheKey);
    if (cached !== undefined) return cached;
    const key = signingKey(open(sealed, endpointId));
    keys.set(cacheKey, key);
    return key;
  };
  return ({ id, secrets }, at) =>
    secrets === null ? [] : activeSecrets(secrets, at).map((sealed) => keyOf(sealed, id));
}
