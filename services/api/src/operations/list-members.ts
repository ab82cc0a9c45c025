import type * as wire from '../contract/member.js';
import type { Page, PageRequest } from '../contract/page.js';
import { showMember } from '../views/member.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { pageById } from './read-page.js';

/** Lists members in ascending order of ids. */
export function listMembers({ members }: Pick<Deps, 'members'>) {
  return ({ workspace }: Call, request: PageRequest): Promise<Page<wire.Member>> =>
    pageById({
      list: `members ${workspace.id}`,
      request,
      read: (slice) => members.list(workspace.id, slice),
      show: showMember,
    });
}
