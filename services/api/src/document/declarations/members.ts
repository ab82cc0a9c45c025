import {
  Body,
  Delete,
  Extension,
  Get,
  OperationId,
  Patch,
  Path,
  Post,
  Query,
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
import type { Member, UpdateMemberRole } from '../../contract/member.js';
import type { Page } from '../../contract/page.js';
import { declared } from './declared.js';

@Route('workspaces/{slug}/members')
@Tags('Members')
export class Members {
  /**
   * The members of the workspace, in ascending order of ids.
   * @summary List members
   */
  @Get()
  @OperationId('list_members')
  @Security('bearer', ['member:list'])
  list(@Query() limit?: number, @Query() cursor?: string): Page<Member> {
    return declared;
  }

  /**
   * Assigns another role to a member. Assigning the current role changes nothing. The last owner must keep the role.
   * @summary Change a member's role
   */
  @Patch('{memberId}')
  @OperationId('update_member_role')
  @Extension('x-destructive', true)
  @Security('bearer', ['member:update'])
  @Extension('x-refusals', ['MemberNotFound', 'LastOwner'])
  updateRole(@Path() memberId: string, @Body() body: UpdateMemberRole): Member {
    return declared;
  }

  /**
   * Removes a member from the workspace. The last owner cannot be removed. API tokens belong to the workspace and remain.
   * @summary Remove a member
   */
  @Delete('{memberId}')
  @OperationId('remove_member')
  @Security('bearer', ['member:remove'])
  @Extension('x-refusals', ['MemberNotFound', 'LastOwner'])
  @SuccessResponse(204, 'Removed')
  remove(@Path() memberId: string): void {}
}

@Route('workspaces/{slug}/invitations')
@Tags('Members')
export class Invitations {
  /**
   * The invitations of the workspace, newest first, of any status.
   * @summary List invitations
   */
  @Get()
  @OperationId('list_invitations')
  @Security('bearer', ['member:list'])
  list(@Query() limit?: number, @Query() cursor?: string): Page<Invitation> {
    return declared;
  }

  /**
   * Invites a person and returns the token that accepts the invitation, this once. It can be accepted for 7 days. An
   * earlier invitation of the same person ends. Inviting an owner or an admin also requires `member:update`.
   * @summary Invite a member
   */
  @Post()
  @OperationId('invite_member')
  @Extension('x-destructive', true)
  @Security('bearer', ['member:invite'])
  @Extension('x-refusals', ['AlreadyMember'])
  @SuccessResponse(201, 'Created')
  invite(@Body() body: InviteMember): CreatedInvitation {
    return declared;
  }

  /**
   * Revokes a pending invitation. Revoking an expired or revoked one changes nothing. An accepted one cannot be revoked.
   * Revoking the invitation of an owner or an admin also requires `member:update`.
   * @summary Revoke an invitation
   */
  @Delete('{invitationId}')
  @OperationId('revoke_invitation')
  @Security('bearer', ['member:invite'])
  @Extension('x-refusals', ['InvitationNotFound', 'InvitationNotAcceptable'])
  @SuccessResponse(204, 'Revoked')
  revoke(@Path() invitationId: string): void {}

  /**
   * Makes the invited person a member. It requires no API token: the `acceptToken` in the body authorises it.
   * @summary Accept an invitation
   */
  @Post('{invitationId}/accept')
  @OperationId('accept_invitation')
  @Extension('x-refusals', ['InvitationNotFound', 'InvitationNotAcceptable', 'AlreadyMember'])
  accept(@Path() invitationId: string, @Body() body: AcceptInvitation): Member {
    return declared;
  }
}
