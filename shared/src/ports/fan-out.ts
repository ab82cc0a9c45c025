import type { Delivery, HeldDelivery } from '../domain/delivery.js';
import type { Holding, SubscribedEndpoint } from '../domain/endpoint.js';
import type { EventTypeName, SubscribedType } from '../domain/event-type.js';
import type { EndpointId, WorkspaceId } from '../domain/id.js';

/** The limits of a read, which ends after the endpoint with which it reaches either. */
export interface SubscribersLimit {
  readonly endpoints: number;
  /** The cost of reading these endpoints together, in subscriptions. */
  readonly cost: number;
}

/** The fan-out's port to the database. */
export interface FanOutStore {
  /** Endpoints of these workspaces that subscribe to any of these types, as they are now. Deleted ones are not included. */
  subscribers(query: {
    readonly workspaceIds: readonly WorkspaceId[];
    readonly types: readonly SubscribedType[];
    readonly limit: SubscribersLimit;
  }): Promise<readonly SubscribedEndpoint[]>;
  /** Like `subscribers`, for one workspace, in order of identifier, after a given one. */
  subscribersAfter(query: {
    readonly workspaceId: WorkspaceId;
    readonly types: readonly SubscribedType[];
    readonly after: EndpointId | null;
    readonly limit: SubscribersLimit;
  }): Promise<readonly SubscribedEndpoint[]>;
  /** Stores new rows; existing rows do not change. @returns those that were new */
  insert(rows: readonly Delivery[], held: readonly HeldDelivery[]): Promise<readonly Delivery[]>;
  /** Remembers events for which no delivery was stored. */
  insertUnmatched(events: readonly UnmatchedEvent[]): Promise<void>;
  /**
   * Adds to the counts of held deliveries of endpoints. An endpoint has the counts of the newest period: late rows of an older
   * one are not counted, so that they do not replace the counts of the current one.
   */
  countHeld(counts: readonly HeldCount[]): Promise<void>;
  /** The stored progress of events, by the event's key. */
  progressOf(eventKeys: readonly string[]): Promise<ReadonlyMap<string, FanOutProgress>>;
  /** Stores the progress of events by their keys, unless further progress is stored already. */
  saveProgress(progress: ReadonlyMap<string, FanOutProgress>): Promise<void>;
}

/** An event for which no delivery was stored, because it matched no endpoint or too many were held. */
export interface UnmatchedEvent {
  readonly eventId: string;
  readonly workspaceId: string;
  readonly type: EventTypeName;
  readonly occurredAt: Date;
}

/** Deliveries of an endpoint that were held, or missed, in one disabled period. */
export interface HeldCount extends Holding {
  readonly endpointId: EndpointId;
}

/** How far a large event is fanned out. */
export interface FanOutProgress {
  /** All subscribers up to this one have their rows and messages. */
  readonly after: EndpointId;
  /** No subscribers follow. */
  readonly isComplete: boolean;
}
