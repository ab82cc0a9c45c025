import type { InvitationStatus } from '@postrider/shared/domain/invitation';
import type { Role } from '@postrider/shared/domain/member';
import type { Timestamp } from './timestamp.js';

/**
 * Asks a person to become a member.
 * @example {
 *   "id": "inv_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "email": "grace@example.com",
 *   "role": "member",
 *   "status": "pending",
 *   "createdAt": "2026-03-01T09:30:00.000Z",
 *   "expiresAt": "2026-03-08T09:30:00.000Z"
 * }
 */
export interface Invitation {
  id: string;
  /** In lower case. */
  email: string;
  /** The role that accepting gives. */
  role: Role;
  status: InvitationStatus;
  createdAt: Timestamp;
  /** From then on it cannot be accepted. */
  expiresAt: Timestamp;
}

/**
 * Who is to become a member, and as what.
 * @example { "email": "grace@example.com", "role": "member" }
 */
export interface InviteMember {
  /**
   * White space around it and upper case make no difference.
   * @format email
   */
  email: string;
  /** Owners and admins can only be invited with the permission `member:update`. */
  role: Role;
}

/**
 * A new invitation. This is the only time that its token is shown: give it to the person invited.
 * @example {
 *   "id": "inv_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "email": "grace@example.com",
 *   "role": "member",
 *   "status": "pending",
 *   "createdAt": "2026-03-01T09:30:00.000Z",
 *   "expiresAt": "2026-03-08T09:30:00.000Z",
 *   "acceptToken": "pri_Zk3vR0mQ8h2Jb5yXc7uTn1wLd9sPf4gEa6iKoVzYlBM"
 * }
 */
export interface CreatedInvitation extends Invitation {
  /** Whoever has it can accept the invitation. */
  acceptToken: string;
}

/**
 * Proves that one was invited.
 * @example { "acceptToken": "pri_Zk3vR0mQ8h2Jb5yXc7uTn1wLd9sPf4gEa6iKoVzYlBM" }
 */
export interface AcceptInvitation {
  /**
   * The token that the creation of the invitation showed.
   * @minLength 1
   * @maxLength 200
   */
  acceptToken: string;
}
