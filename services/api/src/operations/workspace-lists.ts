import type { Page, PageRequest } from '../contract/page.js';
import type { BoundedRows, Slice } from '../ports/reads.js';
import { showToken } from '../views/api-token.js';
import { showInvitation } from '../views/invitation.js';
import { showMember } from '../views/member.js';
import { showNotification } from '../views/notification.js';
import { showPortalLink } from '../views/portal-link.js';
import { showReplayJob } from '../views/replay-job.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { type PageQuery, pageById, pageNewestFirst } from './read-page.js';

type ListDeps = Pick<
  Deps,
  'clock' | 'replayJobs' | 'tokens' | 'notifications' | 'invitations' | 'members' | 'portalLinks'
>;

interface Source<Row, Key> {
  readonly name: string;
  readonly rows: {
    list(workspaceId: string, slice: Slice<Key>): Promise<readonly Row[] | BoundedRows<Row, Key>>;
  };
}

/** The lists of a workspace: newest first where rows have a creation time on the wire, else in ascending order of ids. */
export function workspaceLists({ clock, ...rows }: ListDeps) {
  const list =
    <Row, Item, Key>(
      page: (query: PageQuery<Row, Item, Key>) => Promise<Page<Item>>,
      source: Source<Row, Key>,
      show: (row: Row, now: Date) => Item,
    ) =>
    ({ workspace: { id } }: Call, request: PageRequest): Promise<Page<Item>> => {
      const now = clock.now();
      const read = (slice: Slice<Key>) => source.rows.list(id, slice);
      return page({ list: `${source.name} ${id}`, request, read, show: (row) => show(row, now) });
    };
  const notifications = { name: 'notifications', rows: rows.notifications };
  return {
    list_notifications: list(pageNewestFirst, notifications, showNotification),
    list_api_tokens: list(pageNewestFirst, { name: 'api-tokens', rows: rows.tokens }, showToken),
    list_invitations: list(pageNewestFirst, { name: 'invitations', rows: rows.invitations }, showInvitation),
    list_portal_links: list(
      pageNewestFirst,
      { name: 'portal-links', rows: rows.portalLinks },
      showPortalLink,
    ),
    list_replay_jobs: list(pageNewestFirst, { name: 'replay-jobs', rows: rows.replayJobs }, showReplayJob),
    list_members: list(pageById, { name: 'members', rows: rows.members }, showMember),
  };
}
