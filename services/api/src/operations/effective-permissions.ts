import type { Permission } from '@postrider/shared/domain/permission';
import type { Credential } from '../domain/credential.js';

/** The portal links that can use every operation of a permission: all, those without a limit to endpoints, or none. */
type LinksThatUse = 'all' | 'unlimited' | 'none';

/** Follows from the access of links to each operation. Each permission needs a decision. */
const LINKS_THAT_USE: Readonly<Record<Permission, LinksThatUse>> = {
  'webhook:list': 'all',
  'webhook:update': 'all',
  'webhook:delete': 'all',
  'webhook:rotate_secret': 'all',
  'webhook:test': 'all',
  'webhook:replay': 'all',
  'event_type:list': 'all',
  'replay_job:create': 'all',
  'replay_job:list': 'all',
  'replay_job:cancel': 'all',
  'webhook:create': 'unlimited',
  'workspace:read': 'unlimited',
  'billing:update': 'unlimited',
  'notification:list': 'unlimited',
  'audit_event:list': 'unlimited',
  'member:list': 'unlimited',
  'member:invite': 'unlimited',
  'member:update': 'unlimited',
  'member:remove': 'unlimited',
  'api_token:list': 'unlimited',
  'api_token:revoke': 'unlimited',
  'event:publish': 'unlimited',
  'api_token:create': 'none',
  'portal_link:create': 'none',
};

/** Whether the bearer can use every operation of a permission that it has. */
export function isEffective(
  permission: Permission,
  { type, endpointIds }: Pick<Credential, 'type' | 'endpointIds'>,
): boolean {
  if (type === 'api_token') return true;
  const links = LINKS_THAT_USE[permission];
  return links === 'all' || (links === 'unlimited' && endpointIds === null);
}
