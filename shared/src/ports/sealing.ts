import type { SealedSecret } from '../domain/sealed-secret.js';

/** Encrypts what must not be readable at rest. `context` is authenticated: a box opens only where it belongs. */
export interface Sealing {
  seal(secret: string, context: string): SealedSecret;
  /** Throws when the key is unknown, the box was tampered with or belongs elsewhere. */
  open(sealed: SealedSecret, context: string): string;
}
