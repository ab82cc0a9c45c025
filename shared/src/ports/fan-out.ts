import type { Delivery } from '../domain/delivery.js';
import type { Subscriber } from '../domain/endpoint.js';
import type { EventType } from '../domain/event-type.js';

/** The fan-out's port to the database. */
export interface FanOutStore {
  /** The enabled endpoints of these workspaces that subscribe to any of these types, as they are now. */
  subscribers(workspaceIds: readonly string[], types: readonly EventType[]): Promise<readonly Subscriber[]>;
  /** Stores new rows; existing rows do not change. */
  insert(rows: readonly Delivery[]): Promise<void>;
}
