import { startBatchConsumer } from '@postrider/shared/kafka/batch-consumer';
import { readinessProblems } from '@postrider/shared/kafka/consumer-monitor';
import { createQuarantine } from '@postrider/shared/kafka/quarantine';
import { isDatabaseAway } from '@postrider/shared/mongo/database-away';
import { createDeadLetterStore } from '@postrider/shared/mongo/dead-letter-store';
import { createEventIdReads } from '@postrider/shared/mongo/event-id-reads';
import { type Host, OWN_PROCESS } from '@postrider/shared/platform/host';
import {
  countQuarantined,
  registerConsumerMetrics,
  registerPlatformMetrics,
} from '@postrider/shared/platform/platform-metrics';
import { startMonitoringServers } from '@postrider/shared/platform/start-monitoring-servers';
import { DEAD_LETTER_TOPIC } from '@postrider/shared/ports/topics';
import type { Fail, Service } from '@postrider/shared/runtime/lifecycle';
import type { Logger } from '@postrider/shared/runtime/log';
import { VERSION } from '@postrider/shared/runtime/version';
import { startTracing } from '@postrider/shared/tracing/start-tracing';
import type { Config } from './config.js';
import { countDeadLetters } from './count-dead-letters.js';
import { createHandleBatch } from './handle-batch.js';
import { createReportDeadLetters } from './report-dead-letters.js';
import { createSettleDeadLetters } from './settle-dead-letters.js';
import { createSettleGroup, DEAD_LETTER_RESULTS } from './settle-group.js';
import { traceDeadLetters } from './trace-dead-letters.js';

/** The composition root of the dead-letter consumer. */
export async function startDlqConsumer(
  config: Config,
  log: Logger,
  { fail, host = OWN_PROCESS }: { readonly fail: Fail; readonly host?: Host },
): Promise<Service> {
  const metrics = host.createMetrics('dlq-consumer', VERSION);
  const handled = metrics.counter('postrider_dead_letters_handled_total');
  for (const result of DEAD_LETTER_RESULTS) handled.inc({ result }, 0);
  const tracing = await startTracing(config, 'dlq-consumer');
  const platform = await host.connect(config, 'dlq-consumer', log);
  const { database, relay, clock, publish, crashBefore, featureLevel, outcomes, stats } = platform;
  const store = createDeadLetterStore({
    database,
    relay,
    clock,
    featureLevel,
    outboxClaimMs: config.OUTBOX_CLAIM,
  });
  const eventIdsOf = createEventIdReads(database.collections);
  const report = createReportDeadLetters({ eventIdsOf, ...outcomes, log });
  const settle = createSettleDeadLetters({
    store: { settle: crashBefore('delivery.dead_letter', store.settle) },
    onEnded(ended, at) {
      countDeadLetters(stats, ended, at);
      if (outcomes.isOn) report(ended, at);
    },
    clock,
    log,
  });
  const settleGroup = createSettleGroup({ settle, isDatabaseAway, log });
  const quarantine = countQuarantined(metrics, [DEAD_LETTER_TOPIC], createQuarantine(publish, log));
  const consumer = await startBatchConsumer({
    ...platform,
    groupId: 'dlq-consumer',
    topic: DEAD_LETTER_TOPIC,
    handle: createHandleBatch({
      settleGroup: tracing === null ? settleGroup : traceDeadLetters(settleGroup, { tracing, clock }),
      quarantine,
      count: (result) => handled.inc({ result }),
    }),
    log,
    fail,
  });
  registerPlatformMetrics(metrics, platform);
  const consumers = registerConsumerMetrics(metrics, platform, [
    { groupId: 'dlq-consumer', topics: [DEAD_LETTER_TOPIC], monitor: consumer },
  ]);
  const monitoring = await startMonitoringServers(host, {
    config,
    metrics,
    alive: consumer.alive,
    readiness: () => readinessProblems('consumer', consumer),
  });
  void consumer.joined.then(() => host.announce(log, monitoring.ports, 'consuming dead letters'));
  return {
    async stop() {
      await consumer.stop();
      await Promise.all([consumers.close(), platform.close(), monitoring.close()]);
      await tracing?.close();
    },
  };
}
