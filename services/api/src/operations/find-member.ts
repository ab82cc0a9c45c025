import type { Member } from '@postrider/shared/domain/member';
import { Refusal } from '../domain/refusal.js';
import type { Transaction } from '../ports/unit-of-work.js';

/** @throws Refusal `MemberNotFound`, also for a member of another workspace */
export async function findMember(
  { members }: Pick<Transaction, 'members'>,
  workspaceId: string,
  id: string,
): Promise<Member> {
  const member = await members.find(workspaceId, id);
  if (member === null) throw new Refusal('MemberNotFound', 'This workspace has no such member.');
  return member;
}

/**
 * Ensures that the workspace keeps an owner when this member stops being one. The guard serializes two such changes:
 * otherwise each would rely on the owner that the other removes.
 *
 * @throws Refusal `LastOwner`
 */
export async function refuseLastOwner(
  { workspaces, members }: Pick<Transaction, 'workspaces' | 'members'>,
  { id, workspaceId, role }: Member,
): Promise<void> {
  if (role !== 'owner') return;
  await workspaces.guard(workspaceId);
  if (await members.hasOtherOwner(workspaceId, id)) return;
  throw new Refusal(
    'LastOwner',
    'This is the last owner of the workspace. Make another member an owner first.',
  );
}
