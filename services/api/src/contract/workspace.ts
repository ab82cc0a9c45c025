import type { Plan } from '@postrider/shared/domain/workspace';
import type { Timestamp } from './timestamp.js';

/** How many endpoints there are. */
export interface EndpointCounts {
  /** @isInt */
  total: number;
  /** @isInt */
  enabled: number;
  /** @isInt */
  disabled: number;
}

/** What became of the deliveries that were created within the last 24 hours. */
export interface DeliveryCounts {
  /** @isInt */
  pending: number;
  /** @isInt */
  delivered: number;
  /** @isInt */
  failed: number;
  /** @isInt */
  failedPermanent: number;
  /** @isInt */
  deadLettered: number;
  /** Delivered ones among those that have ended, 0 to 1; null while none has ended. */
  successRate: number | null;
}

/**
 * A workspace at a glance.
 * @example {
 *   "slug": "acme",
 *   "name": "Acme",
 *   "plan": "team",
 *   "endpoints": { "total": 3, "enabled": 2, "disabled": 1 },
 *   "last24h": {
 *     "pending": 1, "delivered": 970, "failed": 4, "failedPermanent": 10, "deadLettered": 20, "successRate": 0.97
 *   },
 *   "asOf": "2026-03-01T09:30:00.000Z"
 * }
 */
export interface WorkspaceOverview {
  slug: string;
  name: string;
  plan: Plan;
  endpoints: EndpointCounts;
  last24h: DeliveryCounts;
  /** When the deliveries were counted: at most 15 seconds ago. */
  asOf: Timestamp;
}

/**
 * What the workspace pays for.
 * @example { "plan": "team" }
 */
export interface BillingPlan {
  plan: Plan;
}
