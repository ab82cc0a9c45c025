import type { KeyObject } from 'node:crypto';
import type { EndpointTarget } from '@postrider/shared/domain/endpoint';
import { type PlainHeaders, parseHeaders } from '@postrider/shared/domain/endpoint-options';
import { activeSecrets } from '@postrider/shared/domain/rotation';
import type { SealedSecret } from '@postrider/shared/domain/sealed-secret';
import { signingKey } from '@postrider/shared/domain/signing';
import { LRUCache } from 'lru-cache';

/** The decrypted keys and headers of endpoints. Throws if one cannot be decrypted. */
export interface Keyring {
  /** The keys that sign for an endpoint at a moment, the current one first. */
  signing(endpoint: EndpointTarget, at: Date): readonly KeyObject[];
  /** The static request headers of an endpoint; null if it has none. */
  headers(endpoint: EndpointTarget): PlainHeaders | null;
}

const MAX_KEYS = 8_000;
/** Maximum size of all kept headers as JSON, in characters. */
const MAX_HEADER_TEXT = 16 * 1_024 * 1_024;

/**
 * Decrypts and keeps key objects and headers by endpoint and nonce: each encryption has a new nonce, and the ciphertext
 * would be most of an entry's memory. So a change never uses an old value, and a value that was copied from another endpoint
 * is decrypted, which fails.
 */
export function createKeyring(
  open: (sealed: SealedSecret, context: string) => string,
  maxKeys = MAX_KEYS,
): Keyring {
  const keys = new LRUCache<string, KeyObject>({ max: maxKeys });
  const headers = new LRUCache<string, PlainHeaders>({
    maxSize: MAX_HEADER_TEXT,
    sizeCalculation: (value) => JSON.stringify(value).length,
  });
  const keyOf = opened(keys, (sealed, id) => signingKey(open(sealed, id)));
  const headersOf = opened(headers, (sealed, id) => parseHeaders(open(sealed, id)));
  return {
    signing: ({ id, secrets }, at) =>
      secrets === null ? [] : activeSecrets(secrets, at).map((sealed) => keyOf(sealed, id)),
    headers: (endpoint) => (endpoint.headers ? headersOf(endpoint.headers.sealed, endpoint.id) : null),
  };
}

function opened<Value extends object>(
  cache: LRUCache<string, Value>,
  open: (sealed: SealedSecret, endpointId: string) => Value,
) {
  return (sealed: SealedSecret, endpointId: string): Value => {
    const key = `${endpointId} ${sealed.keyId} ${sealed.nonce}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const value = open(sealed, endpointId);
    cache.set(key, value);
    return value;
  };
}
