import type { WorkspaceId } from '@postrider/shared/domain/id';
import type { EndpointTotals } from '../ports/reads.js';
import type { Deps } from './deps.js';

interface Kept {
  readonly counts: EndpointTotals;
  readonly until: number;
}

/** Counting this many takes the database milliseconds. */
const MANY = 10_000;
const KEPT_MS = 1_000;

/**
 * Counts the endpoints of a workspace. The counts of one with many are returned for another second, so that frequent requests
 * cost the database one count a second.
 */
export function countEndpoints({ endpoints, clock }: Pick<Deps, 'endpoints' | 'clock'>) {
  /** Ordered by the time until which they are kept. */
  const kept = new Map<WorkspaceId, Kept>();
  const removeExpired = (now: number) => {
    for (const [workspaceId, { until }] of kept) {
      if (until > now) return;
      kept.delete(workspaceId);
    }
  };
  return async (workspaceId: WorkspaceId): Promise<EndpointTotals> => {
    removeExpired(clock.now().getTime());
    const recent = kept.get(workspaceId);
    if (recent !== undefined) return recent.counts;
    const counts = await endpoints.count(workspaceId);
    if (counts.enabled + counts.disabled > MANY) {
      kept.delete(workspaceId);
      kept.set(workspaceId, { counts, until: clock.now().getTime() + KEPT_MS });
    }
    return counts;
  };
}
