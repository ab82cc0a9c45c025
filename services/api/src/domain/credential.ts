import type { Scope } from '@postrider/shared/domain/permission';

/** The valid bearer of a request: an API token, or a portal link. */
export interface Credential {
  readonly type: 'api_token' | 'portal_link';
  readonly id: string;
  readonly workspaceId: string;
  readonly scopes: readonly Scope[];
  /** The end of its authority; null when it has none. */
  readonly expiresAt: Date | null;
  /** The only endpoints that it sees; null for all of the workspace. */
  readonly endpointIds: ReadonlySet<string> | null;
}
