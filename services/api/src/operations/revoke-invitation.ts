import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import { type Invitation, invitationStatus } from '@postrider/shared/domain/invitation';
import { Refusal } from '../domain/refusal.js';
import { noChange } from '../ports/unit-of-work.js';
import type { Call } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';
import { requireManager } from './require-manager.js';

/** Revokes a pending invitation. A revoked or expired one does not change. */
export function revokeInvitation({ mutate, clock, newId }: Pick<Deps, 'mutate' | 'clock' | 'newId'>) {
  return (call: Call, { invitationId }: { invitationId: string }): Promise<void> =>
    mutate(call, async (tx) => {
      const at = clock.now();
      const invitation = await tx.invitations.find(call.workspace.id, invitationId);
      if (invitation === null) throw invitationNotFound();
      const status = invitationStatus(invitation, at);
      switch (status) {
        case 'accepted':
          throw new Refusal(
            'InvitationNotAcceptable',
            'The invitation was accepted. Remove the member instead.',
          );
        case 'revoked':
        case 'expired':
          return noChange(undefined);
        case 'pending':
          requireManager(call, invitation.role, 'Revoking the invitation of');
          await tx.invitations.save({ ...invitation, state: 'revoked' });
          return { result: undefined, audit: [revocationEntry(call, newId, { invitation, at })], outbox: [] };
      }
    });
}

interface Revocation {
  readonly invitation: Invitation;
  readonly at: Date;
  /** The newer invitation of the same person that replaces it. */
  readonly supersededBy?: string;
}

/** The audit entry of a revoked invitation. */
export function revocationEntry(
  call: Call,
  newId: Deps['newId'],
  { invitation: { id, email }, at, supersededBy }: Revocation,
): AuditEvent {
  return auditEntry(call, newId, {
    action: 'workspace_invitation.revoked',
    target: { type: 'invitation', id },
    metadata: { email, ...(supersededBy !== undefined && { supersededBy }) },
    at,
  });
}

function invitationNotFound(): Refusal {
  return new Refusal('InvitationNotFound', 'This workspace has no such invitation.');
}
