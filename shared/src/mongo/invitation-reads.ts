import type { Invitation } from '../domain/invitation.js';
import type { InvitationReads } from '../ports/invitation-reads.js';
import type { Collections } from './collections.js';
import { fromDocument } from './documents.js';
import { newestFirst } from './list-reads.js';

export function invitationReads({ invitations }: Pick<Collections, 'invitations'>): InvitationReads {
  return {
    ...newestFirst<Invitation>(invitations),
    async find(workspaceId, id) {
      const found = await invitations.findOne({ _id: id, workspaceId });
      return found && fromDocument<Invitation>(found);
    },
  };
}
