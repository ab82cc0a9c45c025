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
import type { ConformanceCheck, StartedConformanceCheck } from '../../contract/conformance-check.js';
import type { Delivery, DeliveryAttempt, DeliveryDetails, DeliveryPage } from '../../contract/delivery.js';
import type { Page } from '../../contract/page.js';
import type {
  CreateWebhook,
  RotatedKey,
  RotatedSecret,
  UpdatedWebhook,
  UpdateWebhook,
  Webhook,
  WebhookDetails,
  WebhookPage,
} from '../../contract/webhook.js';
import { declared } from './declared.js';

@Route('workspaces/{slug}/webhooks')
@Tags('Webhooks')
export class Webhooks {
  /**
   * The webhook endpoints of the workspace, in ascending order of ids. All conditions must hold. With conditions a page may be
   * short, or even empty, while `nextCursor` is set.
   * @summary List webhook endpoints
   * @param state One state or several, separated by commas: `healthy`, `slow`, `failing`, `held`, `disabled_by_operator`,
   * `disabled_by_failures`
   * @param text Part of the id, the URL, the description or an event type
   * @param metadata A name and a value, such as `customer:acme`
   * @param health Adds each endpoint's states, latency and counts by hour
   * @param ids Only these: at most 200 ids, separated by commas
   */
  @Get()
  @OperationId('list_webhooks')
  @Security('bearer', ['webhook:list'])
  list(
    @Query() limit?: number,
    @Query() cursor?: string,
    @Query() state?: string,
    @Query() text?: string,
    @Query() metadata?: string,
    @Query() health?: boolean,
    @Query() ids?: string,
  ): WebhookPage {
    return declared;
  }

  /**
   * Creates an endpoint. Its signing secret is not returned: rotate the secret to get one.
   * @summary Create a webhook endpoint
   */
  @Post()
  @OperationId('create_webhook')
  @Security('bearer', ['webhook:create'])
  @Extension('x-refusals', ['InvalidWebhookUrl', 'TooManyEndpoints', 'UpgradeInProgress'])
  @Extension('x-input-rules', 'endpoint')
  @SuccessResponse(201, 'Created')
  create(@Body() body: CreateWebhook): Webhook {
    return declared;
  }

  /**
   * @summary Get a webhook endpoint
   * @param health Adds the endpoint's states, latency and counts by hour
   */
  @Get('{endpointId}')
  @OperationId('get_webhook')
  @Security('bearer', ['webhook:list'])
  @Extension('x-refusals', ['EndpointNotFound'])
  get(@Path() endpointId: string, @Query() health?: boolean): WebhookDetails {
    return declared;
  }

  /**
   * Changes the fields that are sent. Enabling a disabled endpoint resets its failure count. A disabled endpoint
   * gets no deliveries until it is enabled; events are held meanwhile, and `replayHeld` sends them.
   * @summary Update a webhook endpoint
   */
  @Patch('{endpointId}')
  @OperationId('update_webhook')
  @Security('bearer', ['webhook:update'])
  @Extension('x-refusals', [
    'InvalidWebhookUrl',
    'EndpointNotFound',
    'TooManyReplayJobs',
    'UpgradeInProgress',
  ])
  @Extension('x-input-rules', 'endpoint-update')
  update(@Path() endpointId: string, @Body() body: UpdateWebhook): UpdatedWebhook {
    return declared;
  }

  /**
   * Deletes an endpoint and erases its secrets. Its deliveries remain readable until their history expires.
   * @summary Delete a webhook endpoint
   */
  @Delete('{endpointId}')
  @OperationId('delete_webhook')
  @Security('bearer', ['webhook:delete'])
  @Extension('x-refusals', ['EndpointNotFound'])
  @SuccessResponse(204, 'Deleted')
  delete(@Path() endpointId: string): void {}

  /**
   * Creates a new signing secret and returns it, this once. For 24 hours deliveries carry two signatures, the one of the
   * new secret first. Another rotation within that time replaces the previous secret. With `signing: ed25519` the public
   * key of a new key pair is returned.
   * @summary Rotate a signing secret
   */
  @Post('{endpointId}/rotate-secret')
  @OperationId('rotate_webhook_secret')
  @Extension('x-destructive', true)
  @Security('bearer', ['webhook:rotate_secret'])
  @Extension('x-refusals', ['EndpointNotFound'])
  rotateSecret(@Path() endpointId: string): RotatedSecret | RotatedKey {
    return declared;
  }

  /**
   * Sends a `webhook.test_event` to this endpoint, regardless of its subscriptions.
   * @summary Send a test event
   */
  @Post('{endpointId}/test-event')
  @OperationId('send_webhook_test_event')
  @Security('bearer', ['webhook:test'])
  @Extension('x-refusals', ['EndpointNotFound', 'EndpointDisabled'])
  @SuccessResponse(202, 'Accepted')
  sendTestEvent(@Path() endpointId: string): Delivery {
    return declared;
  }

  /**
   * Tests the receiver: sends it genuine, forged and unusual test events, whose bytes change when they are parsed and
   * written again, and judges its answers. Makes no deliveries and counts no failures. An endpoint may be checked five
   * times an hour, and the endpoints of a workspace sixty times.
   * @summary Check a receiver
   */
  @Post('{endpointId}/conformance-checks')
  @OperationId('check_webhook_conformance')
  @Security('bearer', ['webhook:test'])
  @Extension('x-refusals', ['EndpointNotFound', 'EndpointDisabled', 'UpgradeInProgress'])
  @SuccessResponse(202, 'Accepted')
  checkConformance(@Path() endpointId: string): StartedConformanceCheck {
    return declared;
  }

  /**
   * A conformance check with its results so far. It ends within five minutes. Checks are kept for 30 days.
   * @summary Get a conformance check
   */
  @Get('{endpointId}/conformance-checks/{checkId}')
  @OperationId('get_webhook_conformance_check')
  @Security('bearer', ['webhook:list'])
  @Extension('x-refusals', ['ConformanceCheckNotFound'])
  getConformanceCheck(@Path() endpointId: string, @Path() checkId: string): ConformanceCheck {
    return declared;
  }

  /**
   * The deliveries of an endpoint, newest first. Those of a deleted endpoint are listed until their history expires. A page may
   * have fewer items than asked for, even none, while `nextCursor` is set.
   * @param status One status or several, separated by commas: `pending`, `delivered`, `failed`, `failed_permanent`,
   *   `dead_lettered`
   * @param traceId The `x-trace-id` of a request or of a received webhook
   * @param failureReason The reason for the status (of all dead-lettered ones `retries_exhausted`): one or several,
   *   separated by commas: `http_status`, `timeout`, `connection_refused`, `connection_reset`, `dns`, `tls`, `network`, `invalid_url`,
   *   `blocked_address`, `endpoint_disabled`, `endpoint_deleted`, `retries_exhausted`
   * @param lastFailureReason The reason of the last attempt, also of dead-lettered ones: one or several
   * @param httpStatus The HTTP status of the last attempt
   * @summary List deliveries of an endpoint
   */
  @Get('{endpointId}/deliveries')
  @OperationId('list_webhook_deliveries')
  @Security('bearer', ['webhook:list'])
  @Extension('x-refusals', ['EndpointNotFound'])
  listDeliveries(
    @Path() endpointId: string,
    @Query() limit?: number,
    @Query() cursor?: string,
    @Query() status?: string,
    @Query() eventType?: string,
    @Query() eventId?: string,
    @Query() traceId?: string,
    @Query() failureReason?: string,
    @Query() lastFailureReason?: string,
    @Query() httpStatus?: number,
    @Query() createdAfter?: Date,
    @Query() createdBefore?: Date,
  ): DeliveryPage {
    return declared;
  }
}

@Route('workspaces/{slug}/webhooks/deliveries')
@Tags('Deliveries')
export class DeliverySearch {
  /**
   * The deliveries of all endpoints, newest first; all filters must match. A page may have fewer items than asked for, even none,
   * while `nextCursor` is set: continue until it is null.
   * @param status One status or several, separated by commas: `pending`, `delivered`, `failed`, `failed_permanent`,
   *   `dead_lettered`
   * @param traceId The `x-trace-id` of a request or of a received webhook
   * @param failureReason The reason for the status (of all dead-lettered ones `retries_exhausted`): one or several,
   *   separated by commas: `http_status`, `timeout`, `connection_refused`, `connection_reset`, `dns`, `tls`, `network`, `invalid_url`,
   *   `blocked_address`, `endpoint_disabled`, `endpoint_deleted`, `retries_exhausted`
   * @param lastFailureReason The reason of the last attempt, also of dead-lettered ones: one or several
   * @param httpStatus The HTTP status of the last attempt
   * @summary Search deliveries
   */
  @Get()
  @OperationId('list_deliveries')
  @Security('bearer', ['webhook:list'])
  @Extension('x-refusals', ['EndpointNotFound'])
  list(
    @Query() limit?: number,
    @Query() cursor?: string,
    @Query() endpointId?: string,
    @Query() status?: string,
    @Query() eventType?: string,
    @Query() eventId?: string,
    @Query() traceId?: string,
    @Query() failureReason?: string,
    @Query() lastFailureReason?: string,
    @Query() httpStatus?: number,
    @Query() createdAfter?: Date,
    @Query() createdBefore?: Date,
  ): DeliveryPage {
    return declared;
  }
}

@Route('workspaces/{slug}/webhooks/deliveries/{deliveryId}')
@Tags('Deliveries')
export class Deliveries {
  /** @summary Get a delivery */
  @Get()
  @OperationId('get_webhook_delivery')
  @Security('bearer', ['webhook:list'])
  @Extension('x-refusals', ['DeliveryNotFound'])
  get(@Path() deliveryId: string): DeliveryDetails {
    return declared;
  }

  /**
   * All attempts of a delivery, by ordinal, always as one page.
   * @summary List the attempts of a delivery
   */
  @Get('attempts')
  @OperationId('list_webhook_delivery_attempts')
  @Security('bearer', ['webhook:list'])
  @Extension('x-refusals', ['DeliveryNotFound'])
  listAttempts(@Path() deliveryId: string): Page<DeliveryAttempt> {
    return declared;
  }

  /**
   * Sends a delivery again, verbatim, as a new delivery with `replayedFrom`. The original must be `failed`,
   * `failed_permanent` or `dead_lettered` and does not change. A `failed` one is still being retried: both deliveries may
   * arrive.
   * @summary Replay a delivery
   */
  @Post('replay')
  @OperationId('replay_webhook_delivery')
  @Security('bearer', ['webhook:replay'])
  @Extension('x-refusals', [
    'DeliveryNotFound',
    'EndpointNotFound',
    'EndpointDisabled',
    'DeliveryNotReplayable',
  ])
  @SuccessResponse(202, 'Accepted')
  replay(@Path() deliveryId: string): Delivery {
    return declared;
  }
}
