import type { Plan } from '@postrider/shared/domain/workspace';
import type { WithSendingHolds } from './sending-hold.js';
import type { Timestamp } from './timestamp.js';

/** Counts of endpoints. */
export interface EndpointCounts {
  /** @isInt */
  total: number;
  /** @isInt */
  enabled: number;
  /** @isInt */
  disabled: number;
}

/** Counts of the deliveries that were created in the last 24 hours, by status. */
export interface DeliveryCounts {
  /**
   * Approximate, like `delivered`, while more than 100,000 deliveries of the workspace are due.
   * @isInt
   */
  pending: number;
  /** @isInt */
  delivered: number;
  /** @isInt */
  failed: number;
  /** @isInt */
  failedPermanent: number;
  /** @isInt */
  deadLettered: number;
  /**
   * Not sent because their endpoint was disabled; in none of the other counts.
   * @isInt
   */
  held: number;
  /** The share of delivered among completed deliveries, 0 to 1; null while none has completed. */
  successRate: number | null;
}

/**
 * Key figures of a workspace.
 * @example {
 *   "slug": "acme",
 *   "name": "Acme",
 *   "plan": "team",
 *   "endpoints": { "total": 3, "enabled": 2, "disabled": 1 },
 *   "last24h": {
 *     "pending": 1, "delivered": 970, "failed": 4, "failedPermanent": 10, "deadLettered": 20, "held": 0,
 *     "successRate": 0.97
 *   },
 *   "asOf": "2026-03-01T09:30:00.000Z"
 * }
 */
export interface WorkspaceOverview extends WithSendingHolds {
  slug: string;
  name: string;
  plan: Plan;
  /** Counted for each request, or within the last second if there are more than 10,000. */
  endpoints: EndpointCounts;
  last24h: DeliveryCounts;
  /** When the deliveries were counted, at most 15 seconds ago. */
  asOf: Timestamp;
}

/**
 * The billing plan of a workspace.
 * @example { "plan": "team" }
 */
export interface BillingPlan {
  plan: Plan;
}
