import type { Clock } from '@postrider/shared/ports/clock';
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { OAuthSettings } from './oauth-config.js';
import { RefusedToken } from './refused-token.js';

interface VerificationParts {
  readonly settings: Pick<OAuthSettings, 'issuer' | 'audience' | 'algorithms' | 'clockToleranceMs'>;
  readonly keys: JWTVerifyGetKey;
  readonly clock: Clock;
}

/** Media types of access tokens (RFC 9068), and the general one, which many authorization servers use. */
const TYPES: ReadonlySet<string> = new Set(['at+jwt', 'application/at+jwt', 'jwt', 'application/jwt']);

/**
 * Verifies the signature of an access token, its issuer, audience and validity in time.
 *
 * @returns its claims
 * @throws RefusedToken, or KeysUnavailable
 */
export async function verifyAccessToken(
  { settings, keys, clock }: VerificationParts,
  token: string,
): Promise<JWTPayload> {
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    issuer: settings.issuer,
    audience: settings.audience,
    algorithms: [...settings.algorithms],
    clockTolerance: settings.clockToleranceMs / 1_000,
    currentDate: clock.now(),
    requiredClaims: ['exp'],
  }).catch((error: unknown) => {
    throw explained(error);
  });
  const { typ } = protectedHeader;
  // A token that is bound to a key of its client would be stolen as easily as any other if a bearer could use it.
  if ((typ !== undefined && !TYPES.has(typ.toLowerCase())) || payload.cnf !== undefined)
    throw new RefusedToken('type');
  return payload;
}

function explained(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return new RefusedToken('expired');
  if (error instanceof errors.JWTClaimValidationFailed) return new RefusedToken(reasonOfClaim(error.claim));
  if (error instanceof errors.JOSEAlgNotAllowed) return new RefusedToken('algorithm');
  if (error instanceof errors.JWSSignatureVerificationFailed) return new RefusedToken('signature');
  if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
    return new RefusedToken('key');
  return error instanceof errors.JOSEError ? new RefusedToken('malformed') : error;
}

function reasonOfClaim(claim: string): RefusedToken['reason'] {
  switch (claim) {
    case 'iss':
      return 'issuer';
    case 'aud':
      return 'audience';
    case 'nbf':
      return 'not_yet_valid';
    default:
      return 'claims';
  }
}
