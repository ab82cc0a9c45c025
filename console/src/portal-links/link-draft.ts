import type { components } from '@postrider/client';

type CreatePortalLink = components['schemas']['CreatePortalLink'];
type Permission = components['schemas']['Permission'];

export const LIFETIMES = ['3600', '14400', '86400'] as const;
export const ACCESS = ['manage', 'read', 'choose'] as const;

/** The permissions that a link can be given one by one. The api decides which of them the token may give. */
export const PERMISSIONS = [
  'webhook:list',
  'webhook:create',
  'webhook:update',
  'webhook:delete',
  'webhook:rotate_secret',
  'webhook:test',
  'webhook:replay',
  'event_type:list',
  'replay_job:create',
  'replay_job:list',
  'replay_job:cancel',
  'notification:list',
] as const satisfies readonly Permission[];
export type LinkPermission = (typeof PERMISSIONS)[number];

const READ: readonly LinkPermission[] = ['webhook:list', 'event_type:list', 'replay_job:list'];

export const REACHES = ['all', 'chosen'] as const;

/** An endpoint that was chosen. Its URL is kept, because the list that it was chosen from changes with the search. */
export interface ChosenEndpoint {
  readonly id: string;
  readonly url: string;
}

/** A portal link while it is described. */
export interface LinkDraft {
  readonly lifetime: (typeof LIFETIMES)[number];
  readonly access: (typeof ACCESS)[number];
  readonly permissions: readonly LinkPermission[];
  readonly reach: (typeof REACHES)[number];
  /** In the order in which they were chosen. Kept while the link is for all. */
  readonly endpoints: readonly ChosenEndpoint[];
}

export function newLinkDraft(): LinkDraft {
  return { lifetime: '3600', access: 'manage', permissions: READ, reach: 'all', endpoints: [] };
}

/** A link for chosen endpoints needs one: without any it would show all. */
export function isComplete({ access, permissions, reach, endpoints }: LinkDraft): boolean {
  const permitsSome = access !== 'choose' || permissions.length > 0;
  return permitsSome && (reach === 'all' || endpoints.length > 0);
}

/** The permissions with those that their pages read with. */
export function withReading(permissions: readonly LinkPermission[]): readonly LinkPermission[] {
  const reading = new Set(permissions.flatMap(readingOf));
  return PERMISSIONS.filter((name) => reading.has(name) || permissions.includes(name));
}

function readingOf(permission: LinkPermission): readonly LinkPermission[] {
  if (permission.startsWith('replay_job:')) return ['replay_job:list', 'webhook:list'];
  return permission.startsWith('webhook:') ? ['webhook:list'] : [];
}

/** The default scopes are left to the api. What the token itself lacks cannot be given. */
export function linkOf(
  { lifetime, access, permissions, reach, endpoints }: LinkDraft,
  held: ReadonlySet<string>,
): CreatePortalLink {
  const chosen = access === 'read' ? READ : withReading(permissions);
  return {
    expiresIn: Number(lifetime),
    ...(access !== 'manage' && { scopes: chosen.filter((name) => held.has(name)) }),
    ...(reach === 'chosen' && { endpointIds: endpoints.map(({ id }) => id) }),
  };
}
