import type { SignatureProblem } from '@postrider/client';

interface Request {
  readonly secret: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What is wrong with a signature and what to do, in a sentence or two. */
export function describeSignatureProblem(problem: SignatureProblem, { secret, headers }: Request): string {
  switch (problem.kind) {
    case 'missing_header':
      return `The header ${problem.header} is missing.`;
    case 'malformed_secret':
      return isPublicKey(secret)
        ? 'The public key is not one: after whpk_ come 32 bytes in Base64. Copy publicKey of the endpoint.'
        : 'The secret is not one: it starts with whsec_ (or whpk_ for a public key), then comes Base64. Copy it as rotate-secret printed it.';
    case 'malformed_timestamp':
      return 'webhook-timestamp is not a number of seconds.';
    case 'timestamp_outside_tolerance':
      return `webhook-timestamp is ${Math.abs(problem.ageSeconds)} s ${problem.ageSeconds > 0 ? 'old' : 'in the future'}: more than five minutes are refused. Check the clock, or take a fresh request.`;
    case 'no_supported_signature':
      return describeMissingKind(isPublicKey(secret), headers['webhook-signature'] ?? '');
    case 'body_changed':
      return `The signature fits the body before it was changed (${problem.change.replaceAll('_', ' ')}): verify the bytes as they arrived.`;
    case 'wrong_secret_or_content':
      return isPublicKey(secret)
        ? 'The signature does not fit: the public key is another one, or the body or the id was changed.'
        : 'The signature does not fit: the secret is another one, or the body or the id was changed.';
  }
}

const isPublicKey = (secret: string) => secret.trim().startsWith('whpk_');

/** The endpoint may sign by the other method than the one that the given secret is for. */
function describeMissingKind(isPublic: boolean, signatures: string): string {
  const kinds = signatures.split(' ').map((signature) => signature.split(',')[0]);
  if (isPublic) {
    const hint = kinds.includes('v1') ? ' It has v1 signatures: give the signing secret, whsec_….' : '';
    return `webhook-signature has no signature that starts with v1a, and is Base64.${hint}`;
  }
  const hint = kinds.includes('v1a') ? " It has v1a signatures: give the endpoint's publicKey, whpk_…." : '';
  return `webhook-signature has no signature that starts with v1, and is Base64.${hint}`;
}
