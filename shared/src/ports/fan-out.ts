import type { Delivery } from '../domain/delivery.js';
import type { Subscriber } from '../domain/endpoint.js';
import type { EventType } from '../domain/event-type.js';

/** What fan-out asks of the database. */
export interface FanOutStore {
  /** The enabled endpoints of these workspaces that subscribe to any of these types, as they are now. */
  subscribers(workspaceIds: readonly string[], types: readonly EventType[]): Promise<readonly Subscriber[]>;
  /** Stores rows that are not there yet; those that are stay as they are. */
  insert(rows: readonly Delivery[]): Promise<void>;
}
