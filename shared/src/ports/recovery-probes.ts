import type { Delivery } from '../domain/delivery.js';
import type { SettledEndpoint } from '../domain/endpoint.js';
import type { EndpointId } from '../domain/id.js';
import type { RecoveryProbePlan } from '../domain/recovery-probe.js';

/** The recovery probes that are planned for disabled endpoints. */
export interface RecoveryProbeStore {
  /** The endpoints whose time has come, the longest due first, without those given. */
  due(now: Date, limit: number, without: readonly EndpointId[]): Promise<readonly EndpointId[]>;
  /**
   * Stores the probes of these endpoints with their messages and their next times in one transaction, so that each probe is
   * stored once. Leaves out endpoints that another process has handled meanwhile. `plan` may run twice.
   *
   * @returns the probes that were stored
   */
  handle(
    endpointIds: readonly EndpointId[],
    now: Date,
    plan: (endpoint: SettledEndpoint) => RecoveryProbePlan,
  ): Promise<readonly Delivery[]>;
}
