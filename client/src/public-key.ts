export const PUBLIC_KEY_PREFIX = 'whpk_';

/** Whether a pasted key is the public key of an endpoint (`whpk_…`), and not its signing secret. */
export function isPublicKey(secret: string): boolean {
  return secret.trim().startsWith(PUBLIC_KEY_PREFIX);
}
