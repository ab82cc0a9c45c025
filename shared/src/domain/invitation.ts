import { createHash, timingSafeEqual } from 'node:crypto';
import type { WorkspaceId } from './id.js';
import type { Role } from './member.js';

export const INVITATION_STATUSES = ['pending', 'accepted', 'revoked', 'expired'] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

/** Asks a person to become a member. Of the secret that accepts it only the SHA-256 is known. */
export interface Invitation {
  readonly id: string;
  readonly workspaceId: WorkspaceId;
  readonly email: string;
  readonly role: Role;
  /** SHA-256 of the whole secret, hex. It stays when the invitation ends: its holder may still be told why. */
  readonly hash: string;
  /** What became of it; that its time has passed is seen from `expiresAt`. */
  readonly state: Exclude<InvitationStatus, 'expired'>;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** How long an invitation can be accepted, in milliseconds. */
export const INVITATION_LIFE_MS = 7 * 24 * 60 * 60 * 1_000;

const TOKEN_PREFIX = 'pri_';
/** Random bytes of the secret that accepts an invitation. */
export const ACCEPT_TOKEN_BYTES = 32;

export function formatAcceptToken(random: Uint8Array): string {
  return `${TOKEN_PREFIX}${Buffer.from(random).toString('base64url')}`;
}

export function hashAcceptToken(token: string): string {
  return digest(token).toString('hex');
}

/** Does this secret accept this invitation? Takes as long for a wrong secret as for the right one. */
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
