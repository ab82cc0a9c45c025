import type { Member, UpdateMemberRole } from '../contract/member.js';
import { noChange } from '../ports/unit-of-work.js';
import { showMember } from '../views/member.js';
import type { Call } from './call.js';
import { changeRecords } from './change-records.js';
import type { Deps } from './deps.js';
import { findMember, refuseLastOwner } from './find-member.js';

/** Changes a member's role. Assigning the current role writes no event and no audit entry. */
export function updateMemberRole({ mutate, clock, newId }: Pick<Deps, 'mutate' | 'clock' | 'newId'>) {
  return (call: Call, { memberId, role }: UpdateMemberRole & { memberId: string }): Promise<Member> =>
    mutate(call, async (tx) => {
      const at = clock.now();
      const before = await findMember(tx, call.workspace.id, memberId);
      if (before.role === role) return noChange(showMember(before));
      await refuseLastOwner(tx, before);
      const member = { ...before, role };
      await tx.members.save(member);
      const metadata = { previousRole: before.role, role };
      const records = changeRecords(call, newId, {
        type: 'workspace_member.role_changed',
        target: { type: 'member', id: memberId },
        metadata,
        own: { memberId, ...metadata },
        at,
      });
      return { result: showMember(member), ...records };
    });
}
