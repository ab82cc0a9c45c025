import type { ReplayFilter, ReplayJob } from '@postrider/shared/domain/replay-job';
import type * as wire from '../contract/replay-job.js';

export function showReplayJob(job: ReplayJob): wire.ReplayJob {
  return {
    jobId: job.id,
    status: job.status,
    filter: showFilter(job.filter),
    dryRun: job.dryRun,
    ratePerSecond: job.ratePerSecond,
    matched: job.status === 'counting' ? null : job.matched,
    replayed: job.replayed,
    skipped: { ...job.skipped },
    createdAt: job.createdAt.toISOString(),
    startedAt: job.startedAt?.toISOString() ?? null,
    endedAt: job.endedAt?.toISOString() ?? null,
  };
}

function showFilter(filter: ReplayFilter): wire.ReplayFilter {
  return {
    endpointId: filter.endpointId,
    statuses: [...filter.statuses],
    eventTypes: filter.eventTypes && [...filter.eventTypes],
    failureReasons: filter.failureReasons && [...filter.failureReasons],
    lastFailureReasons: filter.lastFailureReasons ? [...filter.lastFailureReasons] : null,
    createdAfter: filter.createdAfter.toISOString(),
    createdBefore: filter.createdBefore.toISOString(),
    includeReplayed: filter.includeReplayed,
  };
}
