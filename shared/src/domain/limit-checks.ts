import type { ConformanceCheck } from './conformance-check.js';

/** Maximum number of checks that may be started within an hour. */
const CHECKS_AN_HOUR = { ofEndpoint: 5, ofWorkspace: 60 } as const;
export const CHECK_WINDOW_MS = 60 * 60_000;

type Started = Pick<ConformanceCheck, 'endpointId' | 'startedAt'>;

interface Limited {
  readonly limit: number;
  readonly of: 'endpoint' | 'workspace';
  /** The time until another check may be started, in milliseconds. */
  readonly afterMs: number;
}

/**
 * Whether one more check may be started at an endpoint.
 *
 * @param recent the checks of the workspace within the last hour, oldest first
 * @returns null if it may
 */
export function limitChecks(recent: readonly Started[], endpointId: string, now: Date): Limited | null {
  const ofEndpoint = recent.filter((check) => check.endpointId === endpointId);
  const limits = [
    { of: 'endpoint', checks: ofEndpoint, limit: CHECKS_AN_HOUR.ofEndpoint },
    { of: 'workspace', checks: recent, limit: CHECKS_AN_HOUR.ofWorkspace },
  ] as const;
  for (const { of, checks, limit } of limits) {
    const oldest = checks.at(-limit);
    if (oldest === undefined) continue;
    return { limit, of, afterMs: oldest.startedAt.getTime() + CHECK_WINDOW_MS - now.getTime() };
  }
  return null;
}
