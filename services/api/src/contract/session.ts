import type { Permission } from '@postrider/shared/domain/permission';
import type { Timestamp } from './timestamp.js';

/** The workspace of a token. */
export interface SessionWorkspace {
  /** The workspace's name in URLs. */
  slug: string;
  name: string;
}

/**
 * A token's workspace, its permissions and its limits.
 * @example {
 *   "tokenId": "ptl_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "workspace": { "slug": "acme", "name": "Acme" },
 *   "permissions": ["webhook:list", "webhook:create", "webhook:replay"],
 *   "effectivePermissions": ["webhook:list", "webhook:replay"],
 *   "endpointIds": ["whe_01krzmb7g0q5w9n2x4c8v1j6th"],
 *   "expiresAt": "2026-03-01T10:30:00.000Z"
 * }
 */
export interface TokenSession {
  /** The token's id, or that of a portal link. */
  tokenId: string;
  workspace: SessionWorkspace;
  /** Bundles are expanded. */
  permissions: Permission[];
  /**
   * Those of the permissions that the token can use. A portal link creates neither tokens nor portal links, and one that is
   * limited to some endpoints reaches nothing else.
   */
  effectivePermissions: Permission[];
  /** The only endpoints that a portal link shows. Null for all of the workspace, and for tokens. */
  endpointIds: string[] | null;
  /** Null where the token does not expire. */
  expiresAt: Timestamp | null;
}
