import { Webhook } from 'standardwebhooks';

/**
 * The reason why the signature is invalid, or undefined when one of the secrets confirms it. The body must be the bytes as they
 * were received.
 */
export function whyUnverified(
  secrets: readonly string[],
  headers: Record<string, string>,
  body: Buffer,
): string | undefined {
  if (secrets.length === 0) return 'the receiver has no secret yet';
  let reason = '';
  for (const secret of secrets) {
    try {
      new Webhook(secret).verify(body, headers, { jsonParse: false });
      return undefined;
    } catch (error) {
      reason = (error as Error).message;
    }
  }
  return reason;
}

/** Reads `{"secrets": ["whsec_…"]}`; undefined when it is anything else. */
export function parseSecrets(body: unknown): string[] | undefined {
  const secrets = (body as { secrets?: unknown } | null)?.secrets;
  if (!Array.isArray(secrets) || Object.keys(body as object).length !== 1) return undefined;
  return secrets.every(isSecret) ? secrets : undefined;
}

function isSecret(value: unknown): value is string {
  try {
    return typeof value === 'string' && new Webhook(value) instanceof Webhook;
  } catch {
    return false;
  }
}
