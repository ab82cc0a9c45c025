import type { KeyObject } from 'node:crypto';
import type { EndpointTarget } from '@postrider/shared/domain/endpoint';
import { activeSecrets } from '@postrider/shared/domain/rotation';
import type { SealedSecret } from '@postrider/shared/domain/sealed-secret';
import { signingKey } from '@postrider/shared/domain/signing';

/** The keys that sign for an endpoint at a moment, the current one first. Throws when a secret cannot be opened. */
export type Keyring = (endpoint: EndpointTarget, at: Date) => readonly KeyObject[];

const KEPT_KEYS = 20_000;

/** Opens secrets and keeps their key objects, by ciphertext: a rotation never meets an old key. */
export function keyring(
  open: (sealed: SealedSecret, context: string) => string,
  keptKeys = KEPT_KEYS,
): Keyring {
  const keys = new Map<string, KeyObject>();
  const keyOf = (sealed: SealedSecret, endpointId: string): KeyObject => {
    const known = keys.get(sealed.box);
    if (known !== undefined) return known;
    if (keys.size >= keptKeys) keys.clear();
    const key = signingKey(open(sealed, endpointId));
    keys.set(sealed.box, key);
    return key;
  };
  return ({ id, secrets }, at) =>
    secrets === null ? [] : activeSecrets(secrets, at).map((sealed) => keyOf(sealed, id));
}
