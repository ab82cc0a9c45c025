import type { Delivery } from '../domain/delivery.js';
import type { SettledEndpoint } from '../domain/endpoint.js';
import type { RecoveryProbePlan } from '../domain/recovery-probe.js';

export interface HandledRecoveryProbes {
  /** The number of endpoints whose time had come, at most the limit. */
  readonly endpoints: number;
  /** The probes that were stored. */
  readonly created: readonly Delivery[];
}

/** The recovery probes that are planned for disabled endpoints. */
export interface RecoveryProbeStore {
  /** Whether the time of any probe has come. */
  isAnyDue(now: Date): Promise<boolean>;
  /**
   * Handles the endpoints whose time has come, the longest due first: stores their probes with their messages and their next
   * times in one transaction, so that each probe is stored once. `plan` may run twice.
   */
  handleDue(
    now: Date,
    limit: number,
    plan: (endpoint: SettledEndpoint) => RecoveryProbePlan,
  ): Promise<HandledRecoveryProbes>;
}
