import type { Scope } from '@postrider/shared/domain/permission';
import type { PortalLinkStatus } from '@postrider/shared/domain/portal-link';
import type { Timestamp } from './timestamp.js';

/**
 * A portal link. Its token is shown once, on creation.
 * @example {
 *   "id": "ptl_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "scopes": ["webhook:list", "webhook:replay"],
 *   "endpointIds": ["whe_01krzmb7g0q5w9n2x4c8v1j6th"],
 *   "status": "active",
 *   "createdBy": "tok_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "createdAt": "2026-03-01T09:30:00.000Z",
 *   "expiresAt": "2026-03-01T10:30:00.000Z",
 *   "revokedAt": null
 * }
 */
export interface PortalLink {
  id: string;
  scopes: Scope[];
  /** The only endpoints that it shows; null for all of the workspace. */
  endpointIds: string[] | null;
  /** A link is revoked directly, or along with the token that created it. */
  status: PortalLinkStatus;
  /** The token that made it. */
  createdBy: string;
  createdAt: Timestamp;
  expiresAt: Timestamp;
  /** When the link itself was revoked; null where it was not. */
  revokedAt: Timestamp | null;
}

/**
 * Creates a portal link.
 * @example { "endpointIds": ["whe_01krzmb7g0q5w9n2x4c8v1j6th"], "expiresIn": 3600 }
 */
export interface CreatePortalLink {
  /**
   * The only endpoints that the link shows, with their deliveries. Omitted: all of the workspace.
   * @minItems 1
   * @maxItems 100
   */
  endpointIds?: string[];
  /**
   * Must not exceed the caller's permissions. By default those of a customer who manages endpoints, as far as the caller
   * has them.
   * @minItems 1
   * @maxItems 50
   */
  scopes?: string[];
  /**
   * Seconds until the link ends, 3,600 by default. It never outlives the token that creates it.
   * @isInt
   * @minimum 60
   * @maximum 86400
   */
  expiresIn?: number;
}

/**
 * A new portal link. This is the only time that its token is shown.
 * @example {
 *   "id": "ptl_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "url": "https://postrider.example.com/console/#token=prt_portal_Zk3vR0mQ8h2Jb5yXc7uTn1wLd9sPf4gEa6iKoVzYlBM",
 *   "token": "prt_portal_Zk3vR0mQ8h2Jb5yXc7uTn1wLd9sPf4gEa6iKoVzYlBM",
 *   "expiresAt": "2026-03-01T10:30:00.000Z"
 * }
 */
export interface CreatedPortalLink {
  id: string;
  /** Opens the console, signed in. */
  url: string;
  /** Send it as `Authorization: Bearer …`. */
  token: string;
  expiresAt: Timestamp;
}
