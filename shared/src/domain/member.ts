export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

export interface Member {
  readonly id: string;
  readonly workspaceId: string;
  readonly email: string;
  readonly role: Role;
}
