import type { DeliveryId, EndpointId, WorkspaceId } from '../domain/id.js';

/** A row on which work is due, with what its queue message would say. */
export interface DueRow {
  readonly deliveryId: DeliveryId;
  readonly endpointId: EndpointId;
  readonly workspaceId: WorkspaceId;
  readonly traceId: string;
  readonly attempts: number;
}

/** The backlog as the rows tell it: what parking feeds from, and what heals lost messages. */
export interface Backlog {
  /** An endpoint's due rows, the longest due first. */
  due(endpointId: string, now: Date, limit: number): Promise<readonly DueRow[]>;
  /** Every endpoint with a row that was due before `before`. */
  overdueEndpoints(before: Date): Promise<readonly string[]>;
}
