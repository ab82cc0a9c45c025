import type { WorkspaceId } from './id.js';
import type { Bundle } from './permission.js';

export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** The maximum permissions of a member of each role. */
export const ROLE_BUNDLES: Readonly<Record<Role, Bundle>> = {
  owner: 'admin',
  admin: 'admin',
  member: 'write',
  viewer: 'read',
};

export interface Member {
  readonly id: string;
  readonly workspaceId: WorkspaceId;
  readonly email: string;
  readonly role: Role;
}
