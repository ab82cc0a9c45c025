import {
  Body,
  Delete,
  Extension,
  Get,
  OperationId,
  Path,
  Post,
  Put,
  Query,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { ApiToken, CreateApiToken, CreatedApiToken } from '../../contract/api-token.js';
import type { AuditEvent } from '../../contract/audit-event.js';
import type { Notification } from '../../contract/notification.js';
import type { Page } from '../../contract/page.js';
import type { Problem } from '../../contract/problem.js';
import type { BillingPlan, WorkspaceOverview } from '../../contract/workspace.js';
import { declared } from './declared.js';

@Route('workspaces/{slug}')
@Tags('Workspace')
// One declaration brings the schema of a problem into the document.
@Response<Problem>('default', 'The problem')
export class Workspace {
  /**
   * Counts of its endpoints, and of the deliveries of the last 24 hours by status.
   * @summary Get an overview of the workspace
   */
  @Get('overview')
  @OperationId('get_workspace_overview')
  @Security('bearer', ['workspace:read'])
  getOverview(): WorkspaceOverview {
    return declared;
  }

  /**
   * Notifications about the workspace's endpoints, newest first.
   * @summary List notifications
   */
  @Get('notifications')
  @OperationId('list_notifications')
  @Security('bearer', ['notification:list'])
  listNotifications(@Query() limit?: number, @Query() cursor?: string): Page<Notification> {
    return declared;
  }

  /**
   * The audit log of the workspace, newest first. `action` takes one action or several, separated by commas. With several
   * filters a page may have fewer items than asked for, even none, while `nextCursor` is set.
   * @summary List audit events
   */
  @Get('audit-events')
  @OperationId('list_audit_events')
  @Security('bearer', ['audit_event:list'])
  listAuditEvents(
    @Query() limit?: number,
    @Query() cursor?: string,
    @Query() action?: string,
    @Query() actorId?: string,
    @Query() targetId?: string,
    @Query() createdAfter?: Date,
    @Query() createdBefore?: Date,
  ): Page<AuditEvent> {
    return declared;
  }

  /**
   * Changes the plan. Choosing the current plan changes nothing.
   * @summary Change the plan
   */
  @Put('billing/plan')
  @OperationId('change_plan')
  @Security('bearer', ['billing:update'])
  changePlan(@Body() body: BillingPlan): BillingPlan {
    return declared;
  }
}

@Route('workspaces/{slug}/api-tokens')
@Tags('API tokens')
export class ApiTokens {
  /**
   * The tokens of the workspace, newest first, including revoked and expired ones.
   * @summary List API tokens
   */
  @Get()
  @OperationId('list_api_tokens')
  @Security('bearer', ['api_token:list'])
  list(@Query() limit?: number, @Query() cursor?: string): Page<ApiToken> {
    return declared;
  }

  /**
   * Creates a token and returns its secret once. It has neither more permissions nor a later expiry than the token
   * that creates it.
   * @summary Create an API token
   */
  @Post()
  @OperationId('create_api_token')
  @Extension('x-destructive', true)
  @Security('bearer', ['api_token:create'])
  @Extension('x-input-rules', 'token')
  @Extension('x-refusals', ['InvalidScope', 'ScopeExceedsAuthority', 'TooManyTokens', 'UpgradeInProgress'])
  @SuccessResponse(201, 'Created')
  create(@Body() body: CreateApiToken): CreatedApiToken {
    return declared;
  }

  /**
   * Revokes a token, which is rejected from then on. With `cascade=true` every token that it made is revoked as well, and
   * those that these made. Revoking it again changes nothing.
   * @summary Revoke an API token
   */
  @Delete('{tokenId}')
  @OperationId('revoke_api_token')
  @Security('bearer', ['api_token:revoke'])
  @Extension('x-refusals', ['TokenNotFound'])
  @SuccessResponse(204, 'Revoked')
  revoke(@Path() tokenId: string, @Query() cascade?: boolean): void {}
}
