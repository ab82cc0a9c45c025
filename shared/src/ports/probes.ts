import type { EndpointStanding } from '../domain/endpoint.js';
import type { ProbePlan } from '../domain/probe.js';

/** The probes that are planned for disabled endpoints. */
export interface ProbeStore {
  /** Whether the time of any probe has come. */
  isAnyDue(now: Date): Promise<boolean>;
  /**
   * Handles the endpoints whose time has come, the longest due first: stores their probes with their messages and their next
   * times in one transaction, so that each probe is stored once. `plan` may run twice.
   *
   * @returns the number of these endpoints, at most `limit`
   */
  handleDue(now: Date, limit: number, plan: (endpoint: EndpointStanding) => ProbePlan): Promise<number>;
}
