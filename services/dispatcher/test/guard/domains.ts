import type { GuardSettings } from '../../src/guard/outage-guard.js';

export const SETTINGS: GuardSettings = {
  windowMs: 60_000,
  minOrigins: 20,
  minWorkspaces: 3,
  unreachedFrom: 0.8,
  baselineBelow: 0.3,
  withholdMs: 60_000,
  maxWithheld: 2_000,
  rampMs: 5_000,
  maxInFlight: 1_024,
};

/** Domains of a workspace. */
export function domainsOf(workspaceId: string, count: number, unreached: number) {
  return Array.from({ length: count }, (_, index) => ({
    domain: `${workspaceId}-${index}.example`,
    workspaceId,
    unreached: index < unreached,
  }));
}
