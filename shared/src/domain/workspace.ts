import type { WorkspaceId } from './id.js';

export const PLANS = ['free', 'team', 'business'] as const;
export type Plan = (typeof PLANS)[number];

export interface Workspace {
  readonly id: WorkspaceId;
  /** The workspace's name in URLs. */
  readonly slug: string;
  readonly name: string;
  readonly plan: Plan;
  readonly createdAt: Date;
}

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export function isSlug(text: string): boolean {
  return SLUG.test(text);
}
