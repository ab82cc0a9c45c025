import type { ConformanceCheck } from '../domain/conformance-check.js';
import type { Endpoint } from '../domain/endpoint.js';

/** The dispatcher's port to conformance checks. */
export interface ConformanceCheckStore {
  /** Takes the lease of the running check that has waited longest for a process; null if none waits. */
  claim(exceptWorkspaces: readonly string[]): Promise<ConformanceCheck | null>;
  /** The endpoint of a check; null if its row was removed. */
  endpointOf(check: ConformanceCheck): Promise<Endpoint | null>;
  /** Stores the state of a check and extends its lease. @returns false, with nothing written, if another process has the lease */
  save(check: ConformanceCheck): Promise<boolean>;
  /** Gives up the lease: another process continues with the check. */
  release(check: ConformanceCheck): Promise<void>;
}
