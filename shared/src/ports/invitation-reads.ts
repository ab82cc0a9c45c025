import type { Invitation } from '../domain/invitation.js';
import type { NewestFirst } from './list-reads.js';

/** Reads of invitations, whatever became of them. */
export interface InvitationReads extends NewestFirst<Invitation> {
  find(workspaceId: string, id: string): Promise<Invitation | null>;
}
