/** A secret encrypted at rest (AES-256-GCM). It names its key, so that keys can be replaced one by one. */
export interface SealedSecret {
  readonly keyId: string;
  /** 96-bit nonce, base64. */
  readonly nonce: string;
  /** Ciphertext followed by the 128-bit tag, base64. */
  readonly box: string;
}
