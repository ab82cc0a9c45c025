import { isPublicKey, type SignatureProblem } from '@postrider/client';

interface Request {
  readonly secret: string;
  /** Keyed by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Describes the problem with a signature and its solution, in one or two sentences. */
export function describeSignatureProblem(problem: SignatureProblem, { secret, headers }: Request): string {
  switch (problem.kind) {
    case 'missing_header':
      return `The header ${problem.header} is missing.`;
    case 'malformed_secret':
      return isPublicKey(secret)
        ? 'This is not a valid public key: it must be whpk_ followed by 32 bytes in Base64. Copy publicKey from the endpoint.'
        : 'This is not a valid secret: it must be whsec_ (or whpk_ for a public key) followed by Base64. Copy it exactly as rotate-secret printed it.';
    case 'malformed_timestamp':
      return 'webhook-timestamp is not a number of seconds.';
    case 'timestamp_outside_tolerance':
      return `webhook-timestamp is ${Math.abs(problem.ageSeconds)} s ${problem.ageSeconds > 0 ? 'old' : 'in the future'}: at most five minutes are accepted. Check the clock, or use a fresh request.`;
    case 'no_supported_signature':
      return describeMissingKind(isPublicKey(secret), headers['webhook-signature'] ?? '');
    case 'body_changed':
      return `The signature matches the body as it was before this change (${problem.change.replaceAll('_', ' ')}): verify the bytes as they arrived.`;
    case 'wrong_secret_or_content':
      return isPublicKey(secret)
        ? 'The signature does not match: the public key is a different one, or the body or the id was changed.'
        : 'The signature does not match: the secret is a different one, or the body or the id was changed.';
  }
}

/** The given secret may be for another signing method than the endpoint's. */
function describeMissingKind(isPublic: boolean, signatures: string): string {
  const kinds = signatures.split(' ').map((signature) => signature.split(',')[0]);
  if (isPublic) {
    const hint = kinds.includes('v1') ? ' It has v1 signatures: give the signing secret, whsec_….' : '';
    return `webhook-signature has no signature that starts with v1a, and is Base64.${hint}`;
  }
  const hint = kinds.includes('v1a') ? " It has v1a signatures: give the endpoint's publicKey, whpk_…." : '';
  return `webhook-signature has no signature that starts with v1, and is Base64.${hint}`;
}
