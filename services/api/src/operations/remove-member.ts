import type { Call } from './call.js';
import { changeRecords } from './change-records.js';
import type { Deps } from './deps.js';
import { findMember, refuseLastOwner } from './find-member.js';

/** Removes a member. API tokens belong to the workspace and stay valid. */
export function removeMember({ mutate, clock, newId }: Pick<Deps, 'mutate' | 'clock' | 'newId'>) {
  return (call: Call, { memberId }: { memberId: string }): Promise<void> =>
    mutate(call, async (tx) => {
      const at = clock.now();
      const member = await findMember(tx, call.workspace.id, memberId);
      await refuseLastOwner(tx, member);
      await tx.members.remove(member);
      const { email, role } = member;
      const records = changeRecords(call, newId, {
        type: 'workspace_member.removed',
        target: { type: 'member', id: memberId },
        metadata: { email, role },
        own: { memberId, email },
        at,
      });
      return { result: undefined, ...records };
    });
}
