import { STAT_COUNTS, type StatCount } from '@postrider/shared/domain/delivery-stats';
import { latencyPercentiles } from '@postrider/shared/domain/latency-buckets';
import { addCounts } from '@postrider/shared/domain/stat-hours';
import type * as wire from '../contract/delivery-stats.js';
import { latencyBucketsOf } from '../domain/endpoint-health.js';
import { STATS_STEPS, type StatsSpan, type StatsStep, statsSpan } from '../domain/stats-span.js';
import type { StatsReads } from '../ports/reads.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { endpointNotFound } from './find-endpoint.js';

export interface StatsRequest {
  readonly endpointId?: string;
  readonly from?: Date;
  readonly to?: Date;
  readonly step?: StatsStep;
}

/** Counts of deliveries by the hour or the day, from the hourly counts that dispatchers keep. */
export function getDeliveryStats({ stats, endpoints, clock }: Pick<Deps, 'stats' | 'endpoints' | 'clock'>) {
  return async ({ workspace }: Call, { endpointId, ...asked }: StatsRequest): Promise<wire.DeliveryStats> => {
    const span = statsSpan(asked, clock.now());
    if (endpointId !== undefined && (await endpoints.find(workspace.id, endpointId)) === null)
      throw endpointNotFound();
    const sums = await sumSteps(span, stats, { workspaceId: workspace.id, endpointId: endpointId ?? null });
    const { from, to, step } = span;
    const items = span.starts.map((start) => itemOf(start, sums.get(start.getTime()) ?? new Map()));
    return { from: from.toISOString(), to: to.toISOString(), step, items };
  };
}

/** The counts of each step, by its start. */
async function sumSteps(
  { starts, step }: StatsSpan,
  stats: StatsReads,
  owner: Parameters<StatsReads['steps']>[0],
): Promise<ReadonlyMap<number, Map<string, number>>> {
  const [first, last] = [starts.at(0), starts.at(-1)];
  const sums = new Map<number, Map<string, number>>();
  if (first === undefined || last === undefined) return sums;
  const stepMs = STATS_STEPS[step];
  const before = new Date(last.getTime() + stepMs);
  for await (const { hour, fields } of stats.steps(owner, { from: first, before, step })) {
    const start = Math.floor(hour.getTime() / stepMs) * stepMs;
    const sum = sums.get(start) ?? new Map<string, number>();
    sums.set(start, sum);
    addCounts(sum, fields);
  }
  return sums;
}

function itemOf(start: Date, fields: ReadonlyMap<string, number>): wire.DeliveryStatsItem {
  // A correction may be stored although the count that it corrects was lost.
  const counts = STAT_COUNTS.map((name) => [name, Math.max(0, fields.get(name) ?? 0)] as const);
  return {
    start: start.toISOString(),
    ...(Object.fromEntries(counts) as Record<StatCount, number>),
    latencyMs: latencyPercentiles(latencyBucketsOf(fields)),
  };
}
