import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

/** A ciphertext with the name of its key; everything base64. */
export interface Sealed {
  readonly keyId: string;
  readonly nonce: string;
  readonly box: string;
}

/** Encrypts secrets at rest (AES-256-GCM). `context` is authenticated: a box opens only with the context it was sealed with. */
export interface SecretBox {
  seal(secret: string, context: string): Sealed;
  /** Throws if the key is unknown, the box was modified or the context differs. */
  open(sealed: Sealed, context: string): string;
}

export interface EncryptionKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param keys the first key seals; all keys open, so that keys can be rotated */
export function createSecretBox(keys: readonly EncryptionKey[]): SecretBox {
  const byId = new Map<string, KeyObject>(keys.map(({ id, key }) => [id, createSecretKey(key)]));
  const keyOf = (id: string | undefined) => {
    const key = id === undefined ? undefined : byId.get(id);
    if (key === undefined) throw new Error(`encryption key "${id}" is not among the configured keys`);
    return key;
  };
  return {
    seal(secret, context) {
      const keyId = keys[0]?.id;
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keyOf(keyId), nonce).setAAD(Buffer.from(context));
      const box = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return { keyId: keyId ?? '', nonce: nonce.toString('base64'), box: box.toString('base64') };
    },
    open({ keyId, nonce, box }, context) {
      const bytes = Buffer.from(box, 'base64');
      // Without this length, a tag truncated to four bytes would be accepted, which can be guessed.
      const options = { authTagLength: TAG_BYTES };
      const decipher = createDecipheriv('aes-256-gcm', keyOf(keyId), Buffer.from(nonce, 'base64'), options)
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      const start = decipher.update(bytes.subarray(0, -TAG_BYTES));
      return Buffer.concat([start, authenticated(() => decipher.final(), keyId)]).toString('utf8');
    },
  };
}

/** Replaces the error of the cipher, which names neither the key nor what to check. */
function authenticated(final: () => Buffer, keyId: string): Buffer {
  try {
    return final();
  } catch (cause) {
    throw new Error(
      `encryption key "${keyId}" does not decrypt it: the key differs from the one with this id that encrypted it, or the stored value was changed`,
      { cause },
    );
  }
}
