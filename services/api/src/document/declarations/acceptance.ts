import {
  Body,
  Extension,
  OperationId,
  Path,
  Post,
  Response,
  Route,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { AcceptInvitation } from '../../contract/invitation.js';
import type { Member } from '../../contract/member.js';
import type { Problem } from '../../contract/problem.js';
import { declared } from './declared.js';

@Route('workspaces/{slug}/invitations/{invitationId}/accept')
@Tags('Members')
@Response<Problem>('default', 'What went wrong')
export class Acceptance {
  /**
   * Makes the invited person a member. It needs no API token: the `acceptToken` in the body authorises it.
   * @summary Accept an invitation
   */
  @Post()
  @OperationId('accept_invitation')
  @Extension('x-refusals', ['InvitationNotFound', 'InvitationNotAcceptable', 'AlreadyMember'])
  @SuccessResponse(200, 'OK')
  accept(@Path() invitationId: string, @Body() body: AcceptInvitation): Member {
    return declared;
  }
}
