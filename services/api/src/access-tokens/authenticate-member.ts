import { hashToken } from '@postrider/shared/domain/api-token';
import type { JWTPayload } from 'jose';
import { InsufficientScope } from '../domain/insufficient-scope.js';
import { Refusal } from '../domain/refusal.js';
import { type Authenticate, type Authentication, bearerSecretOf } from '../http/authenticate.js';
import type { Directory, KnownMember } from '../ports/reads.js';
import type { TokenBrake } from '../rate-limits/token-brake.js';
import { KeysUnavailable } from './key-set.js';
import { grantedScopes, namedMember } from './member-claims.js';
import type { OAuthSettings } from './oauth-config.js';
import { type RefusedReason, RefusedToken } from './refused-token.js';

interface MemberParts {
  readonly settings: OAuthSettings;
  /** Throws RefusedToken or KeysUnavailable. */
  readonly verify: (token: string) => Promise<JWTPayload>;
  readonly directory: Pick<Directory, 'memberByEmail'>;
  readonly brake: TokenBrake;
  readonly countRefused: (reason: RefusedReason) => void;
  /** For all other bearers. */
  readonly otherwise: Authenticate;
}

/** Three parts of base64url. No other kind of bearer contains a dot. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/**
 * Authenticates members by access tokens of the authorization server, and all other bearers with `otherwise`. The token
 * brake comes first: verifying a signature costs time, and an unknown key may cause a fetch.
 */
export function createMemberAuthenticator(parts: MemberParts): Authenticate {
  return async (credentials) => {
    const token = bearerSecretOf(credentials.authorization);
    if (token === null || !JWT.test(token)) return parts.otherwise(credentials);
    const payload = await parts.brake.lookUp(
      { address: credentials.address, hash: hashToken(token) },
      {
        run: () => parts.verify(token).catch((error: unknown) => refusalOf(parts, error)),
        isUnknown: (verified) => verified instanceof Refusal,
      },
    );
    return payload instanceof Refusal ? refused(payload) : authenticationOf(parts, payload);
  };
}

/**
 * @returns `Unauthorized`
 * @throws Refusal `Unavailable` while the keys cannot be fetched: the token may be valid, so the brake must not count it
 */
function refusalOf({ countRefused }: MemberParts, error: unknown): Refusal {
  if (error instanceof RefusedToken) {
    countRefused(error.reason);
    return new Refusal('Unauthorized', error.message);
  }
  if (!(error instanceof KeysUnavailable)) throw error;
  countRefused('keys_unavailable');
  throw new Refusal(
    'Unavailable',
    'The keys of the authorization server cannot be fetched. Try again later.',
  );
}

async function authenticationOf(
  { settings, directory, countRefused }: MemberParts,
  payload: JWTPayload,
): Promise<Authentication> {
  const scopes = grantedScopes(payload, settings);
  if (scopes.length === 0) {
    countRefused('scope');
    return refused(new InsufficientScope(settings.scopes));
  }
  const named = namedMember(payload, settings);
  const found = named && (await directory.memberByEmail(named.slug, named.email));
  if (found === null) {
    countRefused('member');
    return refused(notAMember(settings));
  }
  return { credential: credentialOf(found, { payload, scopes }), workspace: found.workspace, refusal: null };
}

function credentialOf(
  { member: { id, workspaceId, role } }: KnownMember,
  { payload, scopes }: { readonly payload: JWTPayload; readonly scopes: ReturnType<typeof grantedScopes> },
): Authentication['credential'] {
  const expiresAt = payload.exp === undefined ? null : new Date(payload.exp * 1_000);
  return { type: 'member', id, workspaceId, scopes, role, expiresAt, endpointIds: null };
}

const refused = (refusal: Refusal): Authentication => ({ credential: null, workspace: null, refusal });

/** The same refusal for an unknown workspace and an unknown address, so that callers can probe for neither. */
function notAMember({ claims }: OAuthSettings): Refusal {
  const verified = claims.emailVerified === null ? '' : ` with ${claims.emailVerified}`;
  return new Refusal(
    'NotAMember',
    `The access token does not identify a member of a workspace: it needs the workspace's slug in ${claims.workspace}, and the ` +
      `member's e-mail address in ${claims.email}${verified}.`,
  );
}
