import {
  Body,
  Extension,
  Get,
  OperationId,
  Path,
  Post,
  Query,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type {
  EventTypeInfo,
  PublishEvent,
  PublishEvents,
  PublishedEvent,
  PublishedEvents,
} from '../../contract/event.js';
import type { EventExplanation } from '../../contract/event-explanation.js';
import type { Page } from '../../contract/page.js';
import { declared } from './declared.js';

@Route('workspaces/{slug}/events')
@Tags('Events')
export class Events {
  /**
   * Publishes an event of a custom type: it is stored and will be delivered to every endpoint that subscribes to it.
   * @summary Publish an event
   */
  @Post()
  @OperationId('publish_event')
  @Security('bearer', ['event:publish'])
  @Extension('x-refusals', ['UnknownEventType', 'ReservedEventType', 'UpgradeInProgress'])
  @Extension('x-rate-bucket', 'publish')
  @Extension('x-max-body-bytes', 262144)
  @SuccessResponse(202, 'Accepted')
  publish(@Body() body: PublishEvent): PublishedEvent {
    return declared;
  }

  /**
   * Publishes up to 100 events, all of them or none. It counts as one request.
   * @summary Publish events
   */
  @Post('batch')
  @OperationId('publish_events')
  @Security('bearer', ['event:publish'])
  @Extension('x-refusals', ['UnknownEventType', 'ReservedEventType', 'UpgradeInProgress'])
  @Extension('x-rate-bucket', 'publish')
  @Extension('x-max-body-bytes', 262144)
  @SuccessResponse(202, 'Accepted')
  publishBatch(@Body() body: PublishEvents): PublishedEvents {
    return declared;
  }
}

@Route('workspaces/{slug}/events')
@Tags('Events')
export class EventExplanations {
  /**
   * What became of an event at each endpoint of the workspace, by endpoint id: the status of its delivery, or why there is none.
   * Where there is no delivery, the endpoint's current settings are evaluated. Continue while `nextCursor` is set.
   * For one endpoint, call `list_deliveries` with `eventId` and `endpointId`.
   * @summary Explain an event
   */
  @Get('{eventId}')
  @OperationId('explain_event')
  @Security('bearer', ['webhook:list'])
  @Extension('x-refusals', ['EventNotFound'])
  explain(@Path() eventId: string, @Query() limit?: number, @Query() cursor?: string): EventExplanation {
    return declared;
  }
}

@Route('workspaces/{slug}/event-types')
@Tags('Events')
export class EventTypes {
  /**
   * The event types, built-in and custom, by name.
   * @summary List event types
   */
  @Get()
  @OperationId('list_event_types')
  @Security('bearer', ['event_type:list'])
  list(@Query() limit?: number, @Query() cursor?: string): Page<EventTypeInfo> {
    return declared;
  }

  /** @summary Get an event type */
  @Get('{name}')
  @OperationId('get_event_type')
  @Security('bearer', ['event_type:list'])
  @Extension('x-refusals', ['EventTypeNotFound'])
  get(@Path() name: string): EventTypeInfo {
    return declared;
  }
}
