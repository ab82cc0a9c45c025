import { isScope, type Scope } from '@postrider/shared/domain/permission';
import { isSlug } from '@postrider/shared/domain/workspace';
import type { JWTPayload } from 'jose';
import { normalizeEmail } from '../domain/email.js';
import type { OAuthSettings } from './oauth-config.js';

type Rules = Pick<OAuthSettings, 'claims' | 'scopePrefix'>;

/** The member that an access token names; null if a claim is missing, is invalid or does not count. */
export function namedMember(
  payload: JWTPayload,
  { claims }: Rules,
): { readonly slug: string; readonly email: string } | null {
  const slug = ownClaim(payload, claims.workspace);
  const address = ownClaim(payload, claims.email);
  const isVerified = claims.emailVerified === null || ownClaim(payload, claims.emailVerified) === true;
  if (typeof slug !== 'string' || !isSlug(slug) || typeof address !== 'string' || !isVerified) return null;
  const email = normalizeEmail(address);
  return email === null ? null : { slug, email };
}

/** Postrider's scopes in an access token: `scope`, a string (RFC 9068), or else `scp`, a string or a list. */
export function grantedScopes(payload: JWTPayload, { scopePrefix }: Rules): readonly Scope[] {
  const stated = ownClaim(payload, 'scope') ?? ownClaim(payload, 'scp');
  const names: readonly unknown[] =
    typeof stated === 'string' ? stated.split(' ') : Array.isArray(stated) ? stated : [];
  const ours = names.flatMap((name) =>
    typeof name === 'string' && name.startsWith(scopePrefix) ? [name.slice(scopePrefix.length)] : [],
  );
  return [...new Set(ours.filter(isScope))];
}

function ownClaim(payload: JWTPayload, name: string): unknown {
  return Object.hasOwn(payload, name) ? payload[name] : undefined;
}
