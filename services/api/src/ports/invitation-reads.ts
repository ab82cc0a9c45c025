import type { Invitation } from '@postrider/shared/domain/invitation';
import type { NewestFirst } from './list-reads.js';

/** Reads of invitations, whatever became of them. */
export interface InvitationReads extends NewestFirst<Invitation> {
  find(workspaceId: string, id: string): Promise<Invitation | null>;
}
