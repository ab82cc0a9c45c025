import type { EndpointId, Id, TokenId, WorkspaceId } from './id.js';
import type { Permission, Scope } from './permission.js';

/** A bearer for a limited time, for customers of a workspace. It ends with the token that made it. */
export interface PortalLink {
  readonly id: Id<'portalLink'>;
  readonly workspaceId: WorkspaceId;
  readonly scopes: readonly Scope[];
  /** The only endpoints that it sees; null for all of the workspace. */
  readonly endpointIds: readonly EndpointId[] | null;
  /** SHA-256 of the whole secret, hex: a bearer is looked up by it. */
  readonly hash: string;
  /** The token that created it. */
  readonly makerId: TokenId;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

/** A portal link, and whether the token that made it was revoked: the link has then ended with it. */
export interface ListedPortalLink extends PortalLink {
  readonly isCreatorRevoked: boolean;
}

const PORTAL_LINK_STATUSES = ['active', 'expired', 'revoked'] as const;
export type PortalLinkStatus = (typeof PORTAL_LINK_STATUSES)[number];

export function portalLinkStatus(
  {
    expiresAt,
    revokedAt,
    isCreatorRevoked,
  }: Pick<ListedPortalLink, 'expiresAt' | 'revokedAt' | 'isCreatorRevoked'>,
  now: Date,
): PortalLinkStatus {
  if (revokedAt !== null || isCreatorRevoked) return 'revoked';
  return expiresAt <= now ? 'expired' : 'active';
}

/** The default life of a link, in seconds. */
export const PORTAL_LINK_LIFE_S = 3_600;

/** The default permissions of a link, as far as its creator has them. */
export const PORTAL_LINK_PERMISSIONS: readonly Permission[] = [
  'webhook:list',
  'event_type:list',
  'webhook:create',
  'webhook:update',
  'webhook:rotate_secret',
  'webhook:test',
  'webhook:replay',
  'replay_job:create',
  'replay_job:list',
];

const SECRET_PREFIX = 'prt_portal_';
/** Random bytes of a link's secret. */
export const PORTAL_SECRET_BYTES = 32;

export function formatPortalSecret(random: Uint8Array): string {
  return `${SECRET_PREFIX}${Buffer.from(random).toString('base64url')}`;
}

/** Returns whether a bearer's secret belongs to a portal link. The secret of a token has another length. */
export function isPortalSecret(secret: string): boolean {
  const encoded = Math.ceil((PORTAL_SECRET_BYTES * 4) / 3);
  return secret.startsWith(SECRET_PREFIX) && secret.length === SECRET_PREFIX.length + encoded;
}
