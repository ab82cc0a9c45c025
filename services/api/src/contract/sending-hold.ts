import type { HoldCause } from '@postrider/shared/domain/sending-hold';
import type { Timestamp } from './timestamp.js';

/**
 * At least one dispatcher holds sending. Deliveries stay due, failures are not counted, and sending resumes by itself.
 * @example { "cause": "outage", "since": "2026-03-01T09:30:00.000Z" }
 */
export interface SendingHold {
  /**
   * `outage`: Postrider's own network seems to have failed; `clock`: the clocks of its database and of a dispatcher differ by more
   * than 60 s, so that receivers would refuse the signatures.
   */
  cause: HoldCause;
  /** Since when the first of the dispatchers holds; null if only dispatchers of an older version do. */
  since: Timestamp | null;
}

/** What shows deliveries, or the endpoints that they are for, shows also why none may be sent now. */
export interface WithSendingHolds {
  /** Why sending is held now, one item for each cause; omitted while no dispatcher holds it. */
  sendingHolds?: SendingHold[];
}
