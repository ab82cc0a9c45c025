import { texts } from '../texts/en.js';

/** The pages, each with the permission that it needs. */
export const NAVIGATION = [
  {
    title: texts.navigation.groups.delivery,
    pages: [
      { to: '/', icon: 'overview', label: texts.navigation.overview, needs: 'webhook:list' },
      { to: '/deliveries', icon: 'deliveries', label: texts.navigation.deliveries, needs: 'webhook:list' },
      { to: '/replays', icon: 'replays', label: texts.navigation.replays, needs: 'replay_job:list' },
    ],
  },
  {
    title: texts.navigation.groups.receivers,
    pages: [
      { to: '/endpoints', icon: 'endpoints', label: texts.navigation.endpoints, needs: 'webhook:list' },
      {
        to: '/event-types',
        icon: 'eventTypes',
        label: texts.navigation.eventTypes,
        needs: 'event_type:list',
      },
      {
        to: '/signature-check',
        icon: 'signature',
        label: texts.navigation.playground,
        needs: 'webhook:list',
      },
    ],
  },
  {
    title: texts.navigation.groups.workspace,
    pages: [
      {
        to: '/notifications',
        icon: 'notifications',
        label: texts.navigation.notifications,
        needs: 'notification:list',
      },
      { to: '/members', icon: 'members', label: texts.navigation.members, needs: 'member:list' },
      { to: '/tokens', icon: 'tokens', label: texts.navigation.tokens, needs: 'api_token:list' },
      {
        to: '/portal-links',
        icon: 'portalLinks',
        label: texts.navigation.portalLinks,
        needs: 'portal_link:create',
      },
      { to: '/audit-log', icon: 'auditLog', label: texts.navigation.auditLog, needs: 'audit_event:list' },
    ],
  },
] as const;

/** The first page that a token with these permissions may read; null if there is none. */
export function firstPageOf(permissions: ReadonlySet<string>) {
  const pages = NAVIGATION.flatMap((group) => [...group.pages]);
  return pages.find(({ needs }) => permissions.has(needs))?.to ?? null;
}
