import type { InvitationStatus } from '@postrider/shared/domain/invitation';
import type { Role } from '@postrider/shared/domain/member';
import type { Timestamp } from './timestamp.js';

/**
 * An invitation to become a member.
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
  /** The role of the new member. */
  role: Role;
  status: InvitationStatus;
  createdAt: Timestamp;
  /** It cannot be accepted from this time on. */
  expiresAt: Timestamp;
}

/**
 * Invites a person to become a member.
 * @example { "email": "grace@example.com", "role": "member" }
 */
export interface InviteMember {
  /**
   * Surrounding white space and upper case are ignored.
   * @format email
   */
  email: string;
  /** Inviting an owner or admin requires the permission `member:update`. */
  role: Role;
}

/**
 * A new invitation. Its token is only shown this time: give it to the invited person.
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
  /** Anyone with this token can accept the invitation. */
  acceptToken: string;
}

/**
 * Accepts an invitation with its token.
 * @example { "acceptToken": "pri_Zk3vR0mQ8h2Jb5yXc7uTn1wLd9sPf4gEa6iKoVzYlBM" }
 */
export interface AcceptInvitation {
  /**
   * The token that was returned when the invitation was created.
   * @minLength 1
   * @maxLength 200
   */
  acceptToken: string;
}
