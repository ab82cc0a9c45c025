import { type Invitation, invitationStatus } from '@postrider/shared/domain/invitation';
import type * as wire from '../contract/invitation.js';

export function showInvitation(invitation: Invitation, now: Date): wire.Invitation {
  return {
    id: invitation.id,
    email: invitation.email,
    role: invitation.role,
    status: invitationStatus(invitation, now),
    createdAt: invitation.createdAt.toISOString(),
    expiresAt: invitation.expiresAt.toISOString(),
  };
}
