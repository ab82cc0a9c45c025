import { randomBytes } from 'node:crypto';
import { isSigningSecret } from '../context/parse-options.js';

/**
 * The secret with which `listen` signs: as given, or of the environment, or a new one. Other users of a machine can list arguments,
 * but not variables. A public key, which `verify` accepts there, cannot sign.
 */
export function chooseSecret(
  given: string | undefined,
  { WEBHOOK_SECRET: ofEnvironment = '' }: NodeJS.ProcessEnv,
): string {
  if (given !== undefined) return given;
  return isSigningSecret(ofEnvironment) ? ofEnvironment : `whsec_${randomBytes(32).toString('base64')}`;
}
