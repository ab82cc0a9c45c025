import { chunksOf } from '@postrider/shared/domain/chunks';
import { startBatchConsumer } from '@postrider/shared/kafka/batch-consumer';
import { readinessProblems } from '@postrider/shared/kafka/consumer-monitor';
import { createQuarantine } from '@postrider/shared/kafka/quarantine';
import { decodeQueueMessage } from '@postrider/shared/kafka/queue-message';
import type { ReadRecord } from '@postrider/shared/kafka/read-record';
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
import type { QueueMessage } from '@postrider/shared/ports/queue';
import { DEAD_LETTER_TOPIC } from '@postrider/shared/ports/topics';
import type { Fail, Service } from '@postrider/shared/runtime/lifecycle';
import type { Logger } from '@postrider/shared/runtime/log';
import { VERSION } from '@postrider/shared/runtime/version';
import { startTracing } from '@postrider/shared/tracing/start-tracing';
import type { Config } from './config.js';
import { countDeadLetters } from './count-dead-letters.js';
import { DEAD_LETTER_RESULTS, isolatePoison } from './isolate-poison.js';
import { createReportDeadLetters } from './report-dead-letters.js';
import { createSettleDeadLetters } from './settle-dead-letters.js';
import { traceDeadLetters } from './trace-dead-letters.js';

/** Maximum number of dead letters in one transaction. */
const GROUP = 100;

/** The composition root of the dead-letter consumer. */
export async function startDlqConsumer(
  config: Config,
  log: Logger,
  fail: Fail,
  host: Host = OWN_PROCESS,
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
  const isolated = isolatePoison({ settle, isDatabaseAway, log });
  const settleGroup = tracing === null ? isolated : traceDeadLetters(isolated, { tracing, clock });
  const quarantine = countQuarantined(metrics, [DEAD_LETTER_TOPIC], createQuarantine(publish, log));
  const consumer = await startBatchConsumer({
    ...platform,
    groupId: 'dlq-consumer',
    topic: DEAD_LETTER_TOPIC,
    async handle(records, heartbeat) {
      const messages: QueueMessage[] = [];
      const unreadable: { readonly record: ReadRecord; readonly problem: string }[] = [];
      for (const record of records) {
        const message = decodeQueueMessage(record.value, record.headers.traceparent);
        if ('problem' in message) unreadable.push({ record, problem: message.problem });
        else messages.push(message);
      }
      for (const group of chunksOf(messages, GROUP)) {
        const results = await settleGroup(group, heartbeat);
        for (const result of results) handled.inc({ result });
        await heartbeat();
      }
      // Last, because a retried batch settles its dead letters once but would quarantine its records twice.
      for (const { record, problem } of unreadable) {
        await quarantine(record, problem);
        await heartbeat();
      }
    },
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
