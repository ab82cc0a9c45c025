import { DAY_MS } from '@postrider/shared/domain/durations';
import { createMetrics, type Metrics } from '@postrider/shared/metrics/metrics';
import { startMetricsServer } from '@postrider/shared/metrics/metrics-server';
import { isDatabaseAway } from '@postrider/shared/mongo/database-away';
import { createDigestStore } from '@postrider/shared/mongo/digest-store';
import { createHistory } from '@postrider/shared/mongo/history';
import { createRecountStore } from '@postrider/shared/mongo/recount-store';
import { createTaskRuns } from '@postrider/shared/mongo/task-runs';
import type { Logger } from '@postrider/shared/runtime/log';
import { newTraceId } from '@postrider/shared/runtime/trace';
import { VERSION } from '@postrider/shared/runtime/version';
import type { Config } from './config.js';
import { connect } from './connect.js';
import { inTurn } from './in-turn.js';
import { type CountedTask, recordRuns } from './record-runs.js';
import { recountStats } from './recount-stats.js';
import { removeExpired } from './remove-expired.js';
import { runTasks } from './run-tasks.js';
import { sendDigests } from './send-digests.js';
import { warnOfShortRetention } from './warn-of-short-retention.js';
import { whileClocksAgree } from './while-clocks-agree.js';

const monotonicMs = () => performance.now();
/** The oldest deliveries that the digest of yesterday counts are not older than this, in milliseconds. */
const REPORTED_WITHIN_MS = 2 * DAY_MS;

/** The composition root of the janitor. Its tasks need only the database. @returns whether all of them succeeded */
export async function runJanitor(config: Config, log: Logger): Promise<boolean> {
  const metrics = createMetrics('janitor', VERSION);
  const metricsServer = await startMetricsServer(metrics, { host: config.HOST, port: config.METRICS_PORT });
  const { database, clock, clockOffsetMs, relay, outboxClaimMs, eventsKeptMs, close } = await connect(
    config,
    log,
  );
  await warnOfShortRetention({ retentionMs: config.RETENTION, eventsKeptMs, log });
  const store = createDigestStore({ database, relay, clock, outboxClaimMs, newTraceId });
  const cleanup = {
    history: createHistory(database),
    clock,
    monotonicMs,
    retentionMs: config.RETENTION,
    budgetMs: config.TIME_BUDGET,
    workers: config.CLEANUP_WORKERS,
    log,
  };
  const digests = {
    store,
    clock,
    monotonicMs,
    retentionMs: config.RETENTION,
    budgetMs: config.TIME_BUDGET,
    isDatabaseAway,
    log,
  };
  const parts = { runs: createTaskRuns(database.collections), clock, log };
  const cleanupTask = { name: 'cleanup', run: () => removeExpired(cleanup) };
  const digestTask = { name: 'digest', run: () => sendDigests(digests) };
  const recount = { ...digests, store: createRecountStore(database) };
  const statsTask = { name: 'stats', run: () => recountStats(recount) };
  const recorded = (task: CountedTask, settings: Readonly<Record<string, number>> = {}) =>
    recordRuns(whileClocksAgree(task, clockOffsetMs), settings, parts);
  const [digestRun, cleanupRun, statsRun] = [
    recorded(digestTask),
    recorded(cleanupTask, { retentionMs: config.RETENTION }),
    recorded(statsTask),
  ];
  // The cleanup would remove deliveries of the day that is being counted.
  const isShort = config.RETENTION < REPORTED_WITHIN_MS;
  const firstTasks = isShort ? inTurn(digestRun, cleanupRun) : [digestRun, cleanupRun];
  const failed = await runTasks([...firstTasks, statsRun].map(counted(metrics)), log);
  await Promise.all([close(), metricsServer.close()]);
  return failed.length === 0;
}

/** Exports what each task has handled, for scrapes during the run. */
function counted(metrics: Metrics) {
  const done = new Map<string, number>();
  metrics.gauge('postrider_janitor_handled', () =>
    [...done].map(([task, value]) => ({ labels: { task }, value })),
  );
  return ({ name, run }: CountedTask): CountedTask => ({
    name,
    async run() {
      const result = await run();
      done.set(name, result.handled);
      return result;
    },
  });
}
