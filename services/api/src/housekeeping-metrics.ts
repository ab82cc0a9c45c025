import { cachedRead } from '@postrider/shared/metrics/cached-read';
import type { Metrics, Reading } from '@postrider/shared/metrics/metrics';
import { createCleanupProgress } from '@postrider/shared/mongo/cleanup-progress';
import type { TaskRunDocument } from '@postrider/shared/mongo/collections';
import type { Database } from '@postrider/shared/mongo/connect';
import { createSystemStats } from '@postrider/shared/mongo/system-stats';

/** Registers the gauges of the janitor's last runs and of the oldest delivery, because the janitor only runs briefly. */
export function registerHousekeepingMetrics(metrics: Metrics, database: Database): void {
  const { taskRuns } = createSystemStats(database.collections);
  const { oldestUnexamined } = createCleanupProgress(database);
  const runs = cachedRead(taskRuns);
  const oldest = cachedRead(oldestUnexamined);
  const byTask = (value: (run: TaskRunDocument) => number | null) => async () =>
    (await runs()).flatMap((run): Reading<'task'>[] => {
      const reading = value(run);
      return reading === null ? [] : [{ labels: { task: run._id }, value: reading }];
    });
  const seconds = (date: Date | null) => date && date.getTime() / 1_000;
  metrics.gauge(
    'postrider_janitor_last_success_timestamp_seconds',
    byTask(({ lastSuccessAt }) => seconds(lastSuccessAt)),
  );
  metrics.gauge(
    'postrider_janitor_unfinished_since_timestamp_seconds',
    byTask(({ unfinishedSince }) => seconds(unfinishedSince ?? null)),
  );
  metrics.gauge(
    'postrider_janitor_last_run_timestamp_seconds',
    byTask(({ endedAt }) => seconds(endedAt)),
  );
  metrics.gauge(
    'postrider_janitor_last_run_duration_seconds',
    byTask(({ startedAt, endedAt }) => (endedAt.getTime() - startedAt.getTime()) / 1_000),
  );
  metrics.gauge(
    'postrider_janitor_last_run_handled',
    byTask(({ handled }) => handled),
  );
  metrics.gauge('postrider_janitor_retention_seconds', async () => {
    const settings = (await runs()).map(({ settings }) => settings.retentionMs);
    const retentionMs = settings.find((one) => one !== undefined);
    return retentionMs === undefined ? null : retentionMs / 1_000;
  });
  metrics.gauge('postrider_oldest_delivery_timestamp_seconds', async () => seconds(await oldest()));
}
