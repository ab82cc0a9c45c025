import {
  Extension,
  Get,
  OperationId,
  Path,
  Post,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { Delivery, DeliveryAttempt } from '../../contract/delivery.js';
import type { Page } from '../../contract/page.js';
import type { Problem } from '../../contract/problem.js';
import { declared } from './declared.js';

@Route('workspaces/{slug}/webhooks/deliveries/{deliveryId}')
@Tags('Deliveries')
@Response<Problem>('default', 'What went wrong')
export class Deliveries {
  /** @summary Get a delivery */
  @Get()
  @OperationId('get_webhook_delivery')
  @Security('bearer', ['webhook:list'])
  @Extension('x-refusals', ['DeliveryNotFound'])
  @SuccessResponse(200, 'OK')
  get(@Path() deliveryId: string): Delivery {
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
  @SuccessResponse(200, 'OK')
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
