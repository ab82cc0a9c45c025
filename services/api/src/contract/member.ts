import type { Role } from '@postrider/shared/domain/member';

/**
 * A person who belongs to the workspace.
 * @example { "id": "mem_01krzmb7g0q5w9n2x4c8v1j6th", "email": "ada@example.com", "role": "admin" }
 */
export interface Member {
  id: string;
  /** In lower case. */
  email: string;
  role: Role;
}

/**
 * Assigns a role to a member.
 * @example { "role": "viewer" }
 */
export interface UpdateMemberRole {
  role: Role;
}
