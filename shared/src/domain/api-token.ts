import { createHash } from 'node:crypto';
import type { TokenId, WorkspaceId } from './id.js';
import type { Scope } from './permission.js';
import { SECRET_PREFIXES } from './secret-prefixes.js';

/** A workspace-scoped API token. Only the SHA-256 of its secret is stored. */
export interface ApiToken {
  readonly id: TokenId;
  readonly workspaceId: WorkspaceId;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** SHA-256 of the whole secret, hex: a bearer is looked up by it. */
  readonly hash: string;
  /** The first characters of the secret, which identify the token in a list. */
  readonly prefix: string;
  readonly createdAt: Date;
  /** The token that created it; null for the command line, and for tokens of older versions. */
  readonly createdBy: string | null;
  readonly lastUsedAt: Date | null;
  /** The client's address of that use. */
  readonly lastUsedAddress: string | null;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

/** Random bytes of a token's secret. */
export const TOKEN_BYTES = 32;
const SHOWN_CHARACTERS = 8;

export function formatToken(random: Uint8Array): string {
  return `${SECRET_PREFIXES.apiToken}${Buffer.from(random).toString('base64url')}`;
}

export function hashToken(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export function shownPrefix(secret: string): string {
  return secret.slice(0, SHOWN_CHARACTERS);
}

/** Returns whether the token is neither revoked nor expired. */
export function isLive(token: Pick<ApiToken, 'revokedAt' | 'expiresAt'>, now: Date): boolean {
  return token.revokedAt === null && (token.expiresAt === null || token.expiresAt > now);
}
