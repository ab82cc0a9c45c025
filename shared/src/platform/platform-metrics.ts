import type { ConsumerMonitor } from '../kafka/consumer-monitor.js';
import { createLagMeter, type LagMeter } from '../kafka/lag.js';
import type { Quarantine } from '../kafka/quarantine.js';
import { cachedRead } from '../metrics/cached-read.js';
import type { Metrics, Reading } from '../metrics/metrics.js';
import { createSystemStats } from '../mongo/system-stats.js';
import { OUTCOME_RESULTS } from '../ports/outcomes.js';
import { STAT_RESULTS } from './collect-stats.js';
import type { Platform } from './platform.js';

/** Registers the gauges that every process exports: the clock, the feature level, the outbox and the outcomes. */
export function registerPlatformMetrics(
  metrics: Metrics,
  {
    database,
    clock,
    clockOffsetMs,
    featureLevel,
    outcomes,
    stats,
  }: Pick<Platform, 'database' | 'clock' | 'clockOffsetMs' | 'featureLevel' | 'outcomes' | 'stats'>,
): void {
  const { outbox } = createSystemStats(database.collections);
  const outboxNow = cachedRead(() => outbox(clock.now()));
  metrics.gauge('postrider_clock_offset_seconds', () => clockOffsetMs() / 1_000);
  metrics.gauge('postrider_feature_level', featureLevel.current);
  metrics.gauge('postrider_outbox_waiting', async () => (await outboxNow()).waiting);
  metrics.gauge('postrider_outbox_overdue_seconds', async () => (await outboxNow()).overdueMs / 1_000);
  metrics.gauge('postrider_outbox_set_aside', async () => (await outboxNow()).setAside);
  const handled = metrics.counter('postrider_outcomes_total');
  for (const result of OUTCOME_RESULTS) handled.inc({ result }, 0);
  outcomes.countWith((result, count) => handled.inc({ result }, count));
  const hours = metrics.counter('postrider_stats_hours_total');
  for (const result of STAT_RESULTS) hours.inc({ result }, 0);
  stats.countWith((result, count) => hours.inc({ result }, count));
}

/** A consumer group of this process. */
export interface ConsumerGroup {
  /** Without prefix, like the topics. */
  readonly groupId: string;
  readonly topics: readonly string[];
  readonly monitor: Pick<ConsumerMonitor, 'heartbeatAgeMs'>;
}

/** Registers the gauges of the process's consumers. @returns the connections to close at the end */
export function registerConsumerMetrics(
  metrics: Metrics,
  { kafka, names }: Pick<Platform, 'kafka' | 'names'>,
  groups: readonly ConsumerGroup[],
): { close(): Promise<void> } {
  const meters = groups.map(({ groupId, topics }) => {
    const meter = createLagMeter({ kafka, names, groupId, topics });
    return { meter, lags: cachedRead(() => readingsOf(groupId, meter)) };
  });
  metrics.gauge('postrider_consumer_lag', async () =>
    (await Promise.all(meters.map(({ lags }) => lags().catch(() => [])))).flat(),
  );
  metrics.gauge('postrider_consumer_heartbeat_age_seconds', () =>
    groups.map(({ groupId, monitor }) => ({
      labels: { group: groupId },
      value: monitor.heartbeatAgeMs() / 1_000,
    })),
  );
  return {
    async close() {
      await Promise.all(meters.map(({ meter }) => meter.close()));
    },
  };
}

async function readingsOf(group: string, meter: LagMeter): Promise<readonly Reading<'group' | 'topic'>[]> {
  return (await meter.read()).map(({ topic, lag }) => ({ labels: { group, topic }, value: lag }));
}

/** Counts quarantined messages. @param topics the topics that this process reads, without prefix */
export function countQuarantined(
  metrics: Metrics,
  topics: readonly string[],
  quarantine: Quarantine,
): Quarantine {
  const counter = metrics.counter('postrider_quarantined_total');
  for (const topic of topics) counter.inc({ topic }, 0);
  return async (record, reason) => {
    await quarantine(record, reason);
    counter.inc({ topic: record.topic });
  };
}
