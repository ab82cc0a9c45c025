import { DAY_MS } from '@postrider/shared/domain/durations';
import type { StatusCounts } from '@postrider/shared/ports/housekeeping';
import type { DeliveryCounts, WorkspaceOverview } from '../contract/workspace.js';
import type { Call } from './call.js';
import { countEndpoints } from './count-endpoints.js';
import type { Deps } from './deps.js';
import { staleWhileRevalidate } from './stale-while-revalidate.js';

type Needs = Pick<Deps, 'endpoints' | 'deliveries' | 'clock'>;

/** Counting a million deliveries takes a third of a second. */
const COUNTS_MAX_AGE_MS = 15_000;
/** From the beginning of a count. A caller that polls at least every ten seconds only waits for the first one. */
const REFRESH_AFTER_MS = 7_000;

/** Summarizes a workspace. Endpoints are counted for each call unless they are many; the counts of deliveries are cached. */
export function getWorkspaceOverview({ endpoints, deliveries, clock }: Needs) {
  const count = countEndpoints({ endpoints, clock });
  const counts = staleWhileRevalidate<StatusCounts>({
    clock,
    maxAgeMs: COUNTS_MAX_AGE_MS,
    refreshAfterMs: REFRESH_AFTER_MS,
  });
  const countsOf = ({ id }: Call['workspace']) =>
    counts(id, (now) => deliveries.countByStatus(id, new Date(now.getTime() - DAY_MS)));
  return async ({ workspace }: Call): Promise<WorkspaceOverview> => {
    const [{ enabled, disabled }] = await Promise.all([count(workspace.id), countsOf(workspace)]);
    // Counting the endpoints may take seconds. The counts of the answer are those that are not too old after that.
    const { value, asOf } = await countsOf(workspace);
    return {
      slug: workspace.slug,
      name: workspace.name,
      plan: workspace.plan,
      endpoints: { total: enabled + disabled, enabled, disabled },
      last24h: showCounts(value),
      asOf: asOf.toISOString(),
    };
  };
}

function showCounts(counts: StatusCounts): DeliveryCounts {
  const ended = counts.delivered + counts.failed_permanent + counts.dead_lettered;
  return {
    pending: counts.pending,
    delivered: counts.delivered,
    failed: counts.failed,
    failedPermanent: counts.failed_permanent,
    deadLettered: counts.dead_lettered,
    held: counts.held,
    successRate: ended === 0 ? null : counts.delivered / ended,
  };
}
