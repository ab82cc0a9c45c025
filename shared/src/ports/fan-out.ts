import type { Delivery } from '../domain/delivery.js';
import type { Subscriber } from '../domain/endpoint.js';
import type { SubscribedType } from '../domain/event-type.js';
import type { EndpointId, WorkspaceId } from '../domain/id.js';

/** The fan-out's port to the database. */
export interface FanOutStore {
  /** Up to `limit` enabled endpoints of these workspaces that subscribe to any of these types, as they are now. */
  subscribers(query: {
    readonly workspaceIds: readonly WorkspaceId[];
    readonly types: readonly SubscribedType[];
    readonly limit: number;
  }): Promise<readonly Subscriber[]>;
  /** The same for one workspace, in order of identifier, after one. */
  subscribersAfter(query: {
    readonly workspaceId: WorkspaceId;
    readonly types: readonly SubscribedType[];
    readonly after: EndpointId | null;
    readonly limit: number;
  }): Promise<readonly Subscriber[]>;
  /** Stores new rows; existing rows do not change. @returns those that were new */
  insert(rows: readonly Delivery[]): Promise<readonly Delivery[]>;
  /** The stored progress of events, by the event's identifier. */
  progressOf(eventIds: readonly string[]): Promise<ReadonlyMap<string, FanOutProgress>>;
  /** Stores the progress of events, unless further progress is stored already. */
  saveProgress(progress: ReadonlyMap<string, FanOutProgress>): Promise<void>;
}

/** How far a large event is fanned out. */
export interface FanOutProgress {
  /** All subscribers up to this one have their rows and messages. */
  readonly after: EndpointId;
  /** No subscribers follow. */
  readonly isComplete: boolean;
}
