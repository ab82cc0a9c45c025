import { type Invitation, invitationStatus, isAcceptedBy } from '@postrider/shared/domain/invitation';
import type { Member } from '@postrider/shared/domain/member';
import type { AcceptInvitation } from '../contract/invitation.js';
import type * as wire from '../contract/member.js';
import { Refusal } from '../domain/refusal.js';
import type { Transaction } from '../ports/unit-of-work.js';
import { showMember } from '../views/member.js';
import type { AuditContext, OpenCall } from './call.js';
import { changeRecords } from './change-records.js';
import type { Deps } from './deps.js';

type Needs = Pick<Deps, 'mutate' | 'clock' | 'newId' | 'workspaces' | 'invitations'>;

/**
 * Makes the holder of an invitation's token a member. The token is checked first, so that a stored result is only
 * returned to its holder as well.
 */
export function acceptInvitation({ mutate, clock, newId, workspaces, invitations }: Needs) {
  return async (
    call: OpenCall,
    { invitationId, acceptToken }: AcceptInvitation & { invitationId: string },
  ): Promise<wire.Member> => {
    const workspace = await workspaces.workspaceBySlug(call.slug);
    if (workspace === null) throw invitationOrTokenUnknown();
    const found = await invitations.find(workspace.id, invitationId);
    if (found === null || !isAcceptedBy(found, acceptToken)) throw invitationOrTokenUnknown();
    const idempotency = call.idempotency && { ...call.idempotency, scope: invitationId };
    return mutate({ idempotency }, async (tx) => {
      const at = clock.now();
      const invitation = await findAcceptable(tx, found, at);
      const { workspaceId, email, role } = invitation;
      const member: Member = { id: newId('member', at), workspaceId, email, role };
      await tx.invitations.save({ ...invitation, state: 'accepted' });
      await tx.members.insert(member);
      const context: AuditContext = {
        workspace,
        actor: { type: 'member', id: member.id },
        traceId: call.traceId,
        spanId: call.spanId,
        source: call.source,
      };
      return { result: showMember(member), ...acceptanceRecords(context, newId, { invitation, member, at }) };
    });
  };
}

/**
 * The acceptance writes the invitation, as every change that makes it unacceptable does, so two of them conflict.
 *
 * @throws Refusal `InvitationNotAcceptable` or `AlreadyMember`
 */
async function findAcceptable(
  tx: Transaction,
  { id, workspaceId }: Invitation,
  at: Date,
): Promise<Invitation> {
  const invitation = await tx.invitations.find(workspaceId, id);
  if (invitation === null) throw invitationOrTokenUnknown();
  const status = invitationStatus(invitation, at);
  if (status !== 'pending') {
    throw new Refusal('InvitationNotAcceptable', `The invitation is ${status}. Ask for a new one.`);
  }
  if ((await tx.members.findByEmail(workspaceId, invitation.email)) !== null) {
    throw new Refusal('AlreadyMember', 'The person with this e-mail address is already a member.');
  }
  return invitation;
}

interface Acceptance {
  readonly invitation: Invitation;
  readonly member: Member;
  readonly at: Date;
}

/** An acceptance is recorded twice: once for the invitation and once for the new member. */
function acceptanceRecords(
  context: AuditContext,
  newId: Deps['newId'],
  { invitation, member, at }: Acceptance,
) {
  const { email, role } = member;
  const own = { memberId: member.id, email, role };
  const accepted = changeRecords(context, newId, {
    type: 'workspace_invitation.accepted',
    target: { type: 'invitation', id: invitation.id },
    metadata: own,
    own: { invitationId: invitation.id, ...own },
    at,
  });
  const added = changeRecords(context, newId, {
    type: 'workspace_member.added',
    target: { type: 'member', id: member.id },
    metadata: { email, role, invitationId: invitation.id },
    own,
    at,
  });
  return { audit: [...accepted.audit, ...added.audit], outbox: [...accepted.outbox, ...added.outbox] };
}

/** The same refusal in all three cases, so that callers cannot probe for workspaces or invitations. */
function invitationOrTokenUnknown(): Refusal {
  return new Refusal(
    'InvitationNotFound',
    'There is no such invitation, or the token does not belong to it.',
  );
}
