import type { Invitation } from '@postrider/shared/domain/invitation';
import type { Collections } from '@postrider/shared/mongo/collections';
import { fromDocument } from '@postrider/shared/mongo/documents';
import type { InvitationReads } from '../ports/invitation-reads.js';
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
