import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import {
  ACCEPT_TOKEN_BYTES,
  formatAcceptToken,
  hashAcceptToken,
  INVITATION_LIFE_MS,
  type Invitation,
  invitationStatus,
} from '@postrider/shared/domain/invitation';
import type { CreatedInvitation, InviteMember } from '../contract/invitation.js';
import { normalizeEmail } from '../domain/email.js';
import { Refusal } from '../domain/refusal.js';
import type { Transaction } from '../ports/unit-of-work.js';
import { showInvitation } from '../views/invitation.js';
import type { Call } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';
import { requireManager } from './require-manager.js';
import { revocationEntry } from './revoke-invitation.js';

type Needs = Pick<Deps, 'mutate' | 'clock' | 'newId' | 'randomBytes'>;

/** Invites a person and revokes an earlier pending invitation. The accept token is returned once. */
export function inviteMember({ mutate, clock, newId, randomBytes }: Needs) {
  return (call: Call, input: InviteMember): Promise<CreatedInvitation> => {
    const email = emailOf(input);
    requireManager(call, input.role, 'Inviting');
    return mutate(call, async (tx) => {
      const at = clock.now();
      const acceptToken = formatAcceptToken(randomBytes(ACCEPT_TOKEN_BYTES));
      const invitation: Invitation = {
        id: newId('invitation', at),
        workspaceId: call.workspace.id,
        email,
        role: input.role,
        hash: hashAcceptToken(acceptToken),
        state: 'pending',
        createdAt: at,
        expiresAt: new Date(at.getTime() + INVITATION_LIFE_MS),
      };
      const superseded = await supersede({ tx, call, newId }, invitation);
      await tx.invitations.insert(invitation);
      const created = auditEntry(call, newId, {
        action: 'workspace_invitation.created',
        target: { type: 'invitation', id: invitation.id },
        metadata: { email, role: input.role },
        at,
      });
      const result = { ...showInvitation(invitation, at), acceptToken };
      return { result, audit: [...superseded, created], outbox: [] };
    });
  };
}

interface SupersedeParts {
  readonly tx: Transaction;
  readonly call: Call;
  readonly newId: Deps['newId'];
}

/**
 * Ends the pending invitation of a person, who can have only one: it is revoked, unless it has expired. A concurrent
 * invitation or acceptance writes the same document or the same key in the index of pending ones, so one of the two
 * transactions is retried.
 *
 * @returns the audit entry of the revoked invitation, if it could still be accepted
 * @throws Refusal `AlreadyMember`, `Forbidden`
 */
async function supersede(
  { tx, call, newId }: SupersedeParts,
  { id, workspaceId, email, createdAt }: Invitation,
): Promise<AuditEvent[]> {
  if ((await tx.members.findByEmail(workspaceId, email)) !== null) {
    throw new Refusal('AlreadyMember', 'The person with this e-mail address is already a member.');
  }
  const before = await tx.invitations.findPending(workspaceId, email);
  if (before === null) return [];
  if (invitationStatus(before, createdAt) === 'expired') {
    await tx.invitations.save({ ...before, state: 'expired' });
    return [];
  }
  requireManager(call, before.role, 'Replacing the invitation of');
  await tx.invitations.save({ ...before, state: 'revoked' });
  return [revocationEntry(call, newId, { invitation: before, at: createdAt, supersededBy: id })];
}

/** @throws Refusal `InvalidRequest` */
function emailOf({ email }: InviteMember): string {
  const normal = normalizeEmail(email);
  if (normal !== null) return normal;
  throw Refusal.invalid({ path: 'email', message: 'must be an e-mail address' });
}
