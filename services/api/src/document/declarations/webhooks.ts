import type { DeliveryStatus } from '@postrider/shared/domain/delivery';
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
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { Delivery, DeliveryEventType } from '../../contract/delivery.js';
import type { Page } from '../../contract/page.js';
import type { Problem } from '../../contract/problem.js';
import type { CreateWebhook, RotatedSecret, UpdateWebhook, Webhook } from '../../contract/webhook.js';
import { declared } from './declared.js';

@Route('workspaces/{slug}/webhooks')
@Tags('Webhooks')
@Response<Problem>('default', 'What went wrong')
export class Webhooks {
  /**
   * The webhook endpoints of the workspace, in ascending order of ids.
   * @summary List webhook endpoints
   */
  @Get()
  @OperationId('list_webhooks')
  @Security('bearer', ['webhook:list'])
  @SuccessResponse(200, 'OK')
  list(@Query() limit?: number, @Query() cursor?: string): Page<Webhook> {
    return declared;
  }

  /**
   * Creates an endpoint. Its signing secret is not returned: rotate the secret to get one.
   * @summary Create a webhook endpoint
   */
  @Post()
  @OperationId('create_webhook')
  @Security('bearer', ['webhook:create'])
  @Extension('x-refusals', ['InvalidWebhookUrl'])
  @SuccessResponse(201, 'Created')
  create(@Body() body: CreateWebhook): Webhook {
    return declared;
  }

  /** @summary Get a webhook endpoint */
  @Get('{endpointId}')
  @OperationId('get_webhook')
  @Security('bearer', ['webhook:list'])
  @Extension('x-refusals', ['EndpointNotFound'])
  @SuccessResponse(200, 'OK')
  get(@Path() endpointId: string): Webhook {
    return declared;
  }

  /**
   * Changes the fields that are sent. Enabling a disabled endpoint resets its failure count. A disabled endpoint
   * gets no deliveries until it is enabled.
   * @summary Update a webhook endpoint
   */
  @Patch('{endpointId}')
  @OperationId('update_webhook')
  @Security('bearer', ['webhook:update'])
  @Extension('x-refusals', ['InvalidWebhookUrl', 'EndpointNotFound'])
  @SuccessResponse(200, 'OK')
  update(@Path() endpointId: string, @Body() body: UpdateWebhook): Webhook {
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
   * new secret first. Another rotation within that time replaces the previous secret.
   * @summary Rotate a signing secret
   */
  @Post('{endpointId}/rotate-secret')
  @OperationId('rotate_webhook_secret')
  @Security('bearer', ['webhook:rotate_secret'])
  @Extension('x-refusals', ['EndpointNotFound'])
  @SuccessResponse(200, 'OK')
  rotateSecret(@Path() endpointId: string): RotatedSecret {
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
   * The deliveries of an endpoint, newest first. Those of a deleted endpoint remain until their history expires.
   * @summary List deliveries
   */
  @Get('{endpointId}/deliveries')
  @OperationId('list_webhook_deliveries')
  @Security('bearer', ['webhook:list'])
  @Extension('x-refusals', ['EndpointNotFound'])
  @SuccessResponse(200, 'OK')
  listDeliveries(
    @Path() endpointId: string,
    @Query() limit?: number,
    @Query() cursor?: string,
    @Query() status?: DeliveryStatus,
    @Query() eventType?: DeliveryEventType,
    @Query() createdAfter?: Date,
    @Query() createdBefore?: Date,
  ): Page<Delivery> {
    return declared;
  }
}
