import type * as wire from '../contract/invitation.js';
import type { Page, PageRequest } from '../contract/page.js';
import { showInvitation } from '../views/invitation.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { pageNewestFirst } from './read-page.js';

/** Lists invitations of any status, newest first. */
export function listInvitations({ invitations, clock }: Pick<Deps, 'invitations' | 'clock'>) {
  return ({ workspace }: Call, request: PageRequest): Promise<Page<wire.Invitation>> => {
    const now = clock.now();
    return pageNewestFirst({
      list: `invitations ${workspace.id}`,
      request,
      read: (slice) => invitations.list(workspace.id, slice),
      show: (invitation) => showInvitation(invitation, now),
    });
  };
}
