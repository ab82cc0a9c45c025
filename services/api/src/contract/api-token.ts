import type { Scope } from '@postrider/shared/domain/permission';
import type { Timestamp } from './timestamp.js';

/**
 * A workspace-scoped API token, without its secret.
 * @example {
 *   "id": "tok_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "name": "ci",
 *   "scopes": ["read", "webhook:replay"],
 *   "prefix": "prt_Zk3v",
 *   "createdAt": "2026-03-01T09:30:00.000Z",
 *   "createdBy": "tok_01krzmb7g0a5w9n2x4c8v1j6th",
 *   "lastUsedAt": null,
 *   "lastUsedAddress": null,
 *   "expiresAt": "2026-06-01T00:00:00.000Z",
 *   "revokedAt": null
 * }
 */
export interface ApiToken {
  id: string;
  name: string;
  /** Permissions, or the bundles `read`, `write` and `admin`. */
  scopes: Scope[];
  /** The first characters of the secret. */
  prefix: string;
  createdAt: Timestamp;
  /** The token or member that created it; null for the command line, and for tokens of earlier versions. */
  createdBy: string | null;
  /** Updated at most once a minute. */
  lastUsedAt: Timestamp | null;
  /** The address of the client at that time. */
  lastUsedAddress: string | null;
  expiresAt: Timestamp | null;
  revokedAt: Timestamp | null;
}

/**
 * Creates a token.
 * @example { "name": "ci", "scopes": ["read", "webhook:replay"], "expiresAt": "2026-06-01T00:00:00.000Z" }
 */
export interface CreateApiToken {
  /**
   * @minLength 1
   * @maxLength 100
   */
  name: string;
  /**
   * Permissions like `webhook:list`, or the bundles `read`, `write` and `admin`. Must not exceed the caller's permissions.
   * @minItems 1
   * @maxItems 50
   */
  scopes: string[];
  /**
   * The token is invalid from this time on. Omitted or null: it does not expire. Must not be later than the expiry of the
   * token that creates it.
   */
  expiresAt?: Timestamp | null;
}

/**
 * A new token. This is the only time that its secret is shown.
 * @example {
 *   "id": "tok_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "name": "ci",
 *   "scopes": ["read", "webhook:replay"],
 *   "prefix": "prt_Zk3v",
 *   "createdAt": "2026-03-01T09:30:00.000Z",
 *   "createdBy": "tok_01krzmb7g0a5w9n2x4c8v1j6th",
 *   "lastUsedAt": null,
 *   "lastUsedAddress": null,
 *   "expiresAt": "2026-06-01T00:00:00.000Z",
 *   "revokedAt": null,
 *   "token": "prt_Zk3vR0mQ8h2Jb5yXc7uTn1wLd9sPf4gEa6iKoVzYlBM"
 * }
 */
export interface CreatedApiToken extends ApiToken {
  /** Send it as `Authorization: Bearer …`. */
  token: string;
}
