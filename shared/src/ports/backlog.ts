import type { DeliveryClass } from '../domain/delivery.js';
import type { DeliveryId, EndpointId, WorkspaceId } from '../domain/id.js';

/** A row on which work is due, with the fields of its queue message. */
export interface DueRow {
  readonly deliveryId: DeliveryId;
  readonly endpointId: EndpointId;
  readonly workspaceId: WorkspaceId;
  readonly traceId: string;
  readonly attempts: number;
  /** Absent for a row that goes before the ones of replay jobs. */
  readonly class?: DeliveryClass;
}

/** The backlog according to the rows: parked endpoints are fed from it, and lost messages are recovered from it. */
export interface Backlog {
  /** An endpoint's due rows: those of replay jobs after all others, and within each class the longest due first. */
  due(endpointId: string, now: Date, limit: number): Promise<readonly DueRow[]>;
  /** Every endpoint behind `after` with a row that was due by `before`, by id, in pages. */
  overdueEndpoints(before: Date, after?: string): AsyncIterable<readonly string[]>;
  /** The workspaces of endpoints, by endpoint, in one read. */
  workspacesOf(endpointIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
