import type { Scope } from '@postrider/shared/domain/permission';
import { InsufficientScope } from '../domain/insufficient-scope.js';
import type { Refusal } from '../domain/refusal.js';
import type { PublicRoutes } from '../http/public-routes.js';
import type { OAuthSettings } from './oauth-config.js';

type Resource = Pick<OAuthSettings, 'issuer' | 'resource' | 'scopes' | 'scopePrefix'>;

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
/** The path of `/mcp` in this process; a proxy may serve it at another one. */
const OWN_PATH = '/mcp';

/** The description of `/mcp` as a protected resource (RFC 9728), where clients look for it. */
export function createMetadataRoutes(settings: Resource | null): PublicRoutes {
  if (settings === null) return new Map();
  const metadata = {
    resource: settings.resource,
    resource_name: 'Postrider',
    authorization_servers: [settings.issuer],
    scopes_supported: namesOf(settings, settings.scopes),
    bearer_methods_supported: ['header'],
  };
  const paths = [WELL_KNOWN, `${WELL_KNOWN}${OWN_PATH}`, new URL(metadataUrl(settings)).pathname];
  return new Map(paths.map((path) => [path, (response) => void response.json(metadata)]));
}

/**
 * Writes the `WWW-Authenticate` of refusals (RFC 6750, RFC 9728). Clients learn from it where to get a token, and with
 * which scopes.
 *
 * @returns null for refusals that another token would not change
 */
export function createChallenge(settings: Resource) {
  const resourceMetadata = `resource_metadata="${metadataUrl(settings)}"`;
  const scope = (scopes: readonly Scope[]) => `scope="${namesOf(settings, scopes).join(' ')}"`;
  return (refusal: Refusal, { isTokenSent }: { readonly isTokenSent: boolean }): string | null => {
    if (refusal instanceof InsufficientScope)
      return `Bearer error="insufficient_scope", ${scope(refusal.needed)}, ${resourceMetadata}`;
    if (refusal.tag !== 'Unauthorized') return null;
    const error = isTokenSent ? 'error="invalid_token", ' : '';
    return `Bearer ${error}${resourceMetadata}, ${scope(settings.scopes)}`;
  };
}

/** The well-known part comes between the host and the path of the resource. */
function metadataUrl({ resource }: Resource): string {
  const { origin, pathname } = new URL(resource);
  return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}`;
}

function namesOf({ scopePrefix }: Resource, scopes: readonly Scope[]): string[] {
  return scopes.map((scope) => `${scopePrefix}${scope}`);
}
