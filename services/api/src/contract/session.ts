import type { Permission } from '@postrider/shared/domain/permission';
import type { Timestamp } from './timestamp.js';

/** The workspace of a token. */
export interface SessionWorkspace {
  /** The workspace's name in URLs. */
  slug: string;
  name: string;
}

/**
 * A token's workspace and permissions.
 * @example {
 *   "tokenId": "tok_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "workspace": { "slug": "acme", "name": "Acme" },
 *   "permissions": ["webhook:list", "webhook:replay"],
 *   "expiresAt": null
 * }
 */
export interface TokenSession {
  /** The token's id, or that of a portal link. */
  tokenId: string;
  workspace: SessionWorkspace;
  /** Bundles are expanded. */
  permissions: Permission[];
  /** Null where the token does not expire. */
  expiresAt: Timestamp | null;
}
