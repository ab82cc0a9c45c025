import type { SealedSecret } from '../domain/sealed-secret.js';

/** Encrypts secrets at rest. `context` is authenticated: a box opens only with the context it was sealed with. */
export interface Sealing {
  seal(secret: string, context: string): SealedSecret;
  /** @throws Error if the key is unknown, the box was changed, or its context differs */
  open(sealed: SealedSecret, context: string): string;
}
