import {
  Body,
  Delete,
  Extension,
  Get,
  OperationId,
  Path,
  Post,
  Query,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type {
  AcceptInvitation,
  CreatedInvitation,
  Invitation,
  InviteMember,
} from '../../contract/invitation.js';
import type { Member } from '../../contract/member.js';
import type { Page } from '../../contract/page.js';
import type { Problem } from '../../contract/problem.js';
import { declared } from './declared.js';

@Route('workspaces/{slug}/invitations')
@Tags('Members')
@Response<Problem>('default', 'What went wrong')
export class Invitations {
  /**
   * The invitations of the workspace, newest first, of any status.
   * @summary List invitations
   */
  @Get()
  @OperationId('list_invitations')
  @Security('bearer', ['member:list'])
  @SuccessResponse(200, 'OK')
  list(@Query() limit?: number, @Query() cursor?: string): Page<Invitation> {
    return declared;
  }

  /**
   * Invites a person and returns the token that accepts the invitation, this once. It can be accepted for 7 days. An
   * earlier invitation of the same person ends. Inviting an owner or an admin needs `member:update` as well.
   * @summary Invite a member
   */
  @Post()
  @OperationId('invite_member')
  @Security('bearer', ['member:invite'])
  @Extension('x-refusals', ['AlreadyMember'])
  @SuccessResponse(201, 'Created')
  invite(@Body() body: InviteMember): CreatedInvitation {
    return declared;
  }

  /**
   * From then on the invitation cannot be accepted. If it has expired or is revoked already, nothing
   * changes. An accepted invitation cannot be revoked.
   * @summary Revoke an invitation
   */
  @Delete('{invitationId}')
  @OperationId('revoke_invitation')
  @Security('bearer', ['member:invite'])
  @Extension('x-refusals', ['InvitationNotFound', 'InvitationNotAcceptable'])
  @SuccessResponse(204, 'Revoked')
  revoke(@Path() invitationId: string): void {}

  /**
   * Makes the invited person a member. It needs no API token: the `acceptToken` in the body authorises it.
   * @summary Accept an invitation
   */
  @Post('{invitationId}/accept')
  @OperationId('accept_invitation')
  @Extension('x-refusals', ['InvitationNotFound', 'InvitationNotAcceptable', 'AlreadyMember'])
  @SuccessResponse(200, 'OK')
  accept(@Path() invitationId: string, @Body() body: AcceptInvitation): Member {
    return declared;
  }
}
