import {
  Example,
  Extension,
  Get,
  Header,
  OperationId,
  Produces,
  Query,
  Route,
  Security,
  Tags,
} from '@tsoa/runtime';
import type {
  StreamDeliveries,
  StreamEnded,
  StreamedDelivery,
  StreamedEvent,
} from '../../contract/stream.js';
import { declared } from './declared.js';

@Route('workspaces/{slug}/stream')
@Tags('Deliveries')
export class Stream {
  /**
   * Server-Sent Events: `delivery.created`, `delivery.attempted` and `delivery.ended` as they happen, each with an `id:`.
   * Send the last one as `Last-Event-ID` to continue within five minutes; an older one begins with an event `reset`, whose
   * data is `{}`, and continues from now. A comment comes every 15 seconds. With `source=events` the events of the workspace are streamed
   * as `event.published`, whether or not an endpoint matches. Best effort: the lists are the authority. A token may have
   * 10 open streams. When the server ends a stream, a last event `end` gives the reason.
   * @summary Stream deliveries
   * @param payload Adds the payload to `delivery.created`
   * @param lastEventId The `id` of the last event that was handled: the stream continues after it
   */
  @Get()
  @OperationId('stream_deliveries')
  @Security('bearer', ['webhook:list'])
  @Extension('x-refusals', ['EndpointNotFound', 'TooManyStreams', 'StreamsDisabled'])
  @Produces('text/event-stream')
  @Example<StreamedDelivery>({
    deliveryId: 'whd_01krzmb7g0q5w9n2x4c8v1j6th',
    endpointId: 'whe_01krzmb7g0q5w9n2x4c8v1j6th',
    eventId: 'evt_01krzmb7g0q5w9n2x4c8v1j6th',
    eventType: 'billing.plan_changed',
    status: 'delivered',
    attempts: 1,
    httpStatus: 200,
    failureReason: null,
    durationMs: 12,
    at: '2026-03-01T09:30:00.000Z',
  })
  stream(
    @Query() source?: StreamDeliveries['source'],
    @Query() endpointId?: string,
    @Query() eventType?: string,
    @Query() payload?: boolean,
    @Header('Last-Event-ID') lastEventId?: string,
  ): StreamedDelivery | StreamedEvent | StreamEnded {
    return declared;
  }
}
