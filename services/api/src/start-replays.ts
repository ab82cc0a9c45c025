import { randomUUID } from 'node:crypto';
import { createdOutcomes } from '@postrider/shared/domain/delivery-outcome';
import type { Metrics } from '@postrider/shared/metrics/metrics';
import { isDatabaseAway } from '@postrider/shared/mongo/database-away';
import type { Platform } from '@postrider/shared/platform/platform';
import type { Log } from '@postrider/shared/ports/log';
import type { FindSendingHolds } from '@postrider/shared/ports/outage-guard';
import { sleep } from '@postrider/shared/runtime/sleep';
import type { Config } from './config.js';
import { createReplayJobStore } from './mongo/replay-job-store.js';
import { createBatchStarts } from './replay/batch-starts.js';
import { createRateBudget } from './replay/rate-budget.js';
import { type ReplayRunner, startReplayRunner } from './replay/start-runner.js';
import { registerReplayMetrics } from './replay-metrics.js';

interface ReplayServices {
  readonly config: Pick<
    Config,
    'OUTBOX_CLAIM' | 'REPLAY_LEASE' | 'REPLAY_POLL_INTERVAL' | 'REPLAY_RATE_LIMIT'
  >;
  readonly platform: Pick<Platform, 'database' | 'clock' | 'relay' | 'outcomes' | 'crashBefore'>;
  readonly sendingHolds: FindSendingHolds;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** Runs the replay jobs whose leases this process gets. */
export function startReplays({ config, platform, sendingHolds, metrics, log }: ReplayServices): ReplayRunner {
  const { database, clock, relay, outcomes, crashBefore } = platform;
  const countRows = registerReplayMetrics(metrics, platform);
  const monotonicMs = () => performance.now();
  const store = createReplayJobStore({
    database,
    clock,
    relay,
    outboxClaimMs: config.OUTBOX_CLAIM,
    holder: randomUUID(),
    leaseMs: config.REPLAY_LEASE,
    crashBefore,
  });
  return startReplayRunner({
    store: {
      ...store,
      async replay(job, ...parts) {
        const batch = await store.replay(job, ...parts);
        if (batch === null) return null;
        countRows(job, batch.job);
        outcomes.report(createdOutcomes(batch.replays, clock.now()));
        return batch;
      },
    },
    sendingHolds,
    clock,
    processBudget: createRateBudget(config.REPLAY_RATE_LIMIT, monotonicMs),
    batchStarts: createBatchStarts({ monotonicMs, sleep }),
    monotonicMs,
    sleep,
    pollEveryMs: config.REPLAY_POLL_INTERVAL,
    isDatabaseAway,
    log,
  });
}
