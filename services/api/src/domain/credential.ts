import { ROLE_BUNDLES, type Role } from '@postrider/shared/domain/member';
import { type Permission, permissionsOf, type Scope } from '@postrider/shared/domain/permission';

/** The valid bearer of a request: an API token, a portal link, or a member with an access token. */
export interface Credential {
  readonly type: 'api_token' | 'portal_link' | 'member';
  readonly id: string;
  readonly workspaceId: string;
  readonly scopes: readonly Scope[];
  /** The role that limits what the scopes grant; null unless the bearer is a member. */
  readonly role: Role | null;
  /** The end of its authority; null when it has none. */
  readonly expiresAt: Date | null;
  /** The only endpoints that it sees; null for all of the workspace. */
  readonly endpointIds: ReadonlySet<string> | null;
}

/** The permissions that a credential's scopes grant; a member's are limited to what the role permits. */
export function permissionsOfCredential({
  scopes,
  role,
}: Pick<Credential, 'scopes' | 'role'>): ReadonlySet<Permission> {
  const granted = permissionsOf(scopes);
  if (role === null) return granted;
  const permitted = permissionsOfRole(role);
  return new Set([...granted].filter((permission) => permitted.has(permission)));
}

export function permissionsOfRole(role: Role): ReadonlySet<Permission> {
  return permissionsOf([ROLE_BUNDLES[role]]);
}
