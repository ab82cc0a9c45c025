import { ACTIVE_JOB_STATES, type ReplayJob, SKIP_REASONS } from '@postrider/shared/domain/replay-job';
import { cachedRead } from '@postrider/shared/metrics/cached-read';
import type { Metrics } from '@postrider/shared/metrics/metrics';
import { createSystemStats } from '@postrider/shared/mongo/system-stats';
import type { Platform } from '@postrider/shared/platform/platform';

/** Counts the rows that one batch of a job handled. */
export type CountRows = (before: ReplayJob, after: ReplayJob) => void;

/** Registers the metrics of replay jobs. @returns a function that counts their rows */
export function registerReplayMetrics(
  metrics: Metrics,
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
): CountRows {
  const { replayJobs } = createSystemStats(database.collections);
  const active = cachedRead(() => replayJobs(clock.now()));
  metrics.gauge('postrider_replay_jobs', async () => {
    const found = new Map((await active()).map(({ state, jobs }) => [state, jobs]));
    return ACTIVE_JOB_STATES.map((state) => ({ labels: { state }, value: found.get(state) ?? 0 }));
  });
  metrics.gauge('postrider_replay_job_oldest_seconds', async () => {
    const now = clock.now().getTime();
    const moving = (await active()).filter(({ state }) => state === 'running' || state === 'waiting');
    return Math.max(0, ...moving.map(({ oldest }) => (now - oldest.getTime()) / 1_000));
  });
  const rows = metrics.counter('postrider_replay_job_rows_total');
  for (const result of ['replayed', ...SKIP_REASONS]) rows.inc({ result }, 0);
  return (before, after) => {
    rows.inc({ result: 'replayed' }, after.replayed - before.replayed);
    for (const reason of SKIP_REASONS)
      rows.inc({ result: reason }, after.skipped[reason] - before.skipped[reason]);
  };
}
