/** The permissions of a token. Every operation requires exactly one of them. */
export const PERMISSIONS = [
  'workspace:read',
  'billing:update',
  'webhook:list',
  'webhook:create',
  'webhook:update',
  'webhook:delete',
  'webhook:rotate_secret',
  'webhook:test',
  'webhook:replay',
  'notification:list',
  'audit_event:list',
  'member:list',
  'member:invite',
  'member:update',
  'member:remove',
  'api_token:list',
  'api_token:create',
  'api_token:revoke',
  'event:publish',
  'event_type:list',
  'replay_job:create',
  'replay_job:list',
  'replay_job:cancel',
  'portal_link:create',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/**
 * Permissions that processes of the first feature level do not know. They would set aside the event of a token that names
 * one as a scope; the bundles exist since then.
 */
export const ADDED_PERMISSIONS: readonly Permission[] = [
  'event:publish',
  'event_type:list',
  'replay_job:create',
  'replay_job:list',
  'replay_job:cancel',
  'portal_link:create',
];

export const BUNDLES = ['read', 'write', 'admin'] as const;
export type Bundle = (typeof BUNDLES)[number];
export type Scope = Permission | Bundle;
export const SCOPES: readonly Scope[] = [...BUNDLES, ...PERMISSIONS];

const READ = PERMISSIONS.filter((name) => name.endsWith(':list') || name === 'workspace:read');
const WRITE_PREFIXES = ['webhook:', 'replay_job:', 'member:invite', 'event:publish'];
const WRITE = PERMISSIONS.filter(
  (name) => READ.includes(name) || WRITE_PREFIXES.some((prefix) => name.startsWith(prefix)),
);
const BUNDLED: Readonly<Record<Bundle, readonly Permission[]>> = {
  read: READ,
  write: WRITE,
  admin: PERMISSIONS,
};

export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}

export function isPermission(text: string): text is Permission {
  return (PERMISSIONS as readonly string[]).includes(text);
}

/** The permissions that scopes grant together. */
export function permissionsOf(scopes: readonly Scope[]): ReadonlySet<Permission> {
  return new Set(scopes.flatMap((scope) => (isPermission(scope) ? [scope] : BUNDLED[scope])));
}

/** The requested scopes that exceed the holder's own permissions (specification, section 5.1). */
export function scopesBeyond(requested: readonly Scope[], held: ReadonlySet<Permission>): readonly Scope[] {
  return requested.filter((scope) => [...permissionsOf([scope])].some((permission) => !held.has(permission)));
}
