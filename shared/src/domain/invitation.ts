import { createHash, timingSafeEqual } from 'node:crypto';
import type { WorkspaceId } from './id.js';
import type { Role } from './member.js';
import { SECRET_PREFIXES } from './secret-prefixes.js';

const INVITATION_STATUSES = ['pending', 'accepted', 'revoked', 'expired'] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

/** Invites a person to become a member. Only the SHA-256 of the secret that accepts it is stored. */
export interface Invitation {
  readonly id: string;
  readonly workspaceId: WorkspaceId;
  readonly email: string;
  readonly role: Role;
  /** SHA-256 of the whole secret, hex. Kept after the end of the invitation, so that its holder gets the reason. */
  readonly hash: string;
  /** The stored state. Expiry follows from `expiresAt`; it is stored once a newer invitation of the person replaces this one. */
  readonly state: InvitationStatus;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** How long an invitation can be accepted, in milliseconds. */
export const INVITATION_LIFE_MS = 7 * 24 * 60 * 60 * 1_000;

/** Random bytes of the secret that accepts an invitation. */
export const ACCEPT_TOKEN_BYTES = 32;

export function formatAcceptToken(random: Uint8Array): string {
  return `${SECRET_PREFIXES.invitation}${Buffer.from(random).toString('base64url')}`;
}

export function hashAcceptToken(token: string): string {
  return digest(token).toString('hex');
}

/** Returns whether the secret accepts the invitation, in constant time. */
export function isAcceptedBy({ hash }: Pick<Invitation, 'hash'>, token: string): boolean {
  return timingSafeEqual(Buffer.from(hash, 'hex'), digest(token));
}

export function invitationStatus(
  { state, expiresAt }: Pick<Invitation, 'state' | 'expiresAt'>,
  now: Date,
): InvitationStatus {
  return state === 'pending' && expiresAt <= now ? 'expired' : state;
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
