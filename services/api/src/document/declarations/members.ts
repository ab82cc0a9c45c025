import {
  Body,
  Delete,
  Extension,
  Get,
  OperationId,
  Patch,
  Path,
  Query,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { Member, UpdateMemberRole } from '../../contract/member.js';
import type { Page } from '../../contract/page.js';
import type { Problem } from '../../contract/problem.js';
import { declared } from './declared.js';

@Route('workspaces/{slug}/members')
@Tags('Members')
@Response<Problem>('default', 'What went wrong')
export class Members {
  /**
   * The members of the workspace, in ascending order of ids.
   * @summary List members
   */
  @Get()
  @OperationId('list_members')
  @Security('bearer', ['member:list'])
  @SuccessResponse(200, 'OK')
  list(@Query() limit?: number, @Query() cursor?: string): Page<Member> {
    return declared;
  }

  /**
   * Gives a member another role. The same role again changes nothing. The last owner keeps the role.
   * @summary Change a member's role
   */
  @Patch('{memberId}')
  @OperationId('update_member_role')
  @Security('bearer', ['member:update'])
  @Extension('x-refusals', ['MemberNotFound', 'LastOwner'])
  @SuccessResponse(200, 'OK')
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
