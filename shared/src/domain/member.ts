import type { WorkspaceId } from './id.js';

export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

export interface Member {
  readonly id: string;
  readonly workspaceId: WorkspaceId;
  readonly email: string;
  readonly role: Role;
}
