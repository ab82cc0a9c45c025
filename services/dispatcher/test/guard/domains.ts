import type { GuardSettings } from '../../src/guard/guard-core.js';

export const SETTINGS: GuardSettings = {
  windowMs: 60_000,
  latestMs: 10_000,
  answerAgeMs: 3_600_000,
  minOrigins: 20,
  minWorkspaces: 3,
  workspaceShare: 0.2,
  unreachedFrom: 0.8,
  baselineBelow: 0.3,
  baselineSpanMs: 600_000,
  reachedNeeded: 3,
  withholdMs: 60_000,
  maxWithheld: 2_000,
  withheldPerEndpoint: 4,
  trialEveryMs: 1_000,
  canariesNeeded: 3,
  referencesHoldMs: 30_000,
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
