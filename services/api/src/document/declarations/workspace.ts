import {
  Body,
  Get,
  OperationId,
  Put,
  Query,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { AuditEvent } from '../../contract/audit-event.js';
import type { Notification } from '../../contract/notification.js';
import type { Page } from '../../contract/page.js';
import type { Problem } from '../../contract/problem.js';
import type { BillingPlan, WorkspaceOverview } from '../../contract/workspace.js';
import { declared } from './declared.js';

@Route('workspaces/{slug}')
@Tags('Workspace')
@Response<Problem>('default', 'What went wrong')
export class Workspace {
  /**
   * Counts of its endpoints, and of the deliveries of the last 24 hours by status.
   * @summary Get the workspace at a glance
   */
  @Get('overview')
  @OperationId('get_workspace_overview')
  @Security('bearer', ['workspace:read'])
  @SuccessResponse(200, 'OK')
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
  @SuccessResponse(200, 'OK')
  listNotifications(@Query() limit?: number, @Query() cursor?: string): Page<Notification> {
    return declared;
  }

  /**
   * The audit log of the workspace, newest first.
   * @summary List audit events
   */
  @Get('audit-events')
  @OperationId('list_audit_events')
  @Security('bearer', ['audit_event:list'])
  @SuccessResponse(200, 'OK')
  listAuditEvents(@Query() limit?: number, @Query() cursor?: string): Page<AuditEvent> {
    return declared;
  }

  /**
   * Choosing the present plan again changes nothing.
   * @summary Change the plan
   */
  @Put('billing/plan')
  @OperationId('change_plan')
  @Security('bearer', ['billing:update'])
  @SuccessResponse(200, 'OK')
  changePlan(@Body() body: BillingPlan): BillingPlan {
    return declared;
  }
}
