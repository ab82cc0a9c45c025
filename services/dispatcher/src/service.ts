import { egressFor } from '@postrider/shared/domain/webhook-url';
import { readinessProblems } from '@postrider/shared/kafka/consumer-monitor';
import { createEnqueue } from '@postrider/shared/kafka/enqueue';
import { createPartitioner } from '@postrider/shared/kafka/partition-of';
import { createQuarantine } from '@postrider/shared/kafka/quarantine';
import { createMetrics } from '@postrider/shared/metrics/metrics';
import { startMetricsServer } from '@postrider/shared/metrics/metrics-server';
import { backlog } from '@postrider/shared/mongo/backlog';
import { isDatabaseAway } from '@postrider/shared/mongo/database-away';
import { fanOutStore } from '@postrider/shared/mongo/fan-out-store';
import { settlementStore } from '@postrider/shared/mongo/settlement-store';
import { connectPlatform, type Platform } from '@postrider/shared/platform/platform';
import {
  countQuarantined,
  registerConsumerMetrics,
  registerPlatformMetrics,
} from '@postrider/shared/platform/platform-metrics';
import { DELIVERIES_TOPIC, EVENTS_TOPIC, RETRY_TOPICS } from '@postrider/shared/ports/topics';
import { startHealthServer } from '@postrider/shared/runtime/health-server';
import type { Fail, Service } from '@postrider/shared/runtime/lifecycle';
import type { Logger } from '@postrider/shared/runtime/log';
import { createSecretBox } from '@postrider/shared/runtime/secret-box';
import { VERSION } from '@postrider/shared/runtime/version';
import { startTracing } from '@postrider/shared/tracing/start-tracing';
import type { Config } from './config.js';
import { startDeliveryConsumer } from './consumer/delivery-consumer.js';
import { startEventConsumer } from './consumer/event-consumer.js';
import { createEngine, type Engine } from './engine/engine.js';
import { createKeyring } from './engine/keyring.js';
import { createSendAttempt } from './engine/send-attempt.js';
import { createFanOut } from './fan-out/fan-out.js';
import { registerEngineMetrics } from './instrumentation/engine-metrics.js';
import {
  type DispatcherInstrumentation,
  instrumentDispatcher,
  registerOverdueMetrics,
} from './instrumentation/instrument-dispatcher.js';
import { type DeliveryTracing, traceDeliveries, UNTRACED } from './instrumentation/trace-deliveries.js';
import { LIMITS } from './limits.js';
import { createPoster, type Poster } from './post/poster.js';
import { recoveryFrom } from './recovery.js';

/** How long a stop waits for what is nearly settled before it leaves the group, in milliseconds. */
const SETTLE_BEFORE_LEAVING_MS = 2_000;
/** How much longer than a POST's deadline its recording may take at the end. */
const RECORDING_MS = 3_000;

/** What the engine reads. */
const DELIVERING = [DELIVERIES_TOPIC, ...RETRY_TOPICS];

/** The composition root of the dispatcher. */
export async function startDispatcher(config: Config, log: Logger, fail: Fail): Promise<Service> {
  const metrics = createMetrics('dispatcher', VERSION);
  const watch = instrumentDispatcher({ metrics, log, sampleDelivered: config.LOG_SAMPLE_DELIVERED });
  const tracing = await startTracing(config, 'dispatcher');
  const platform = await connectPlatform(config, 'dispatcher', log);
  const { database, clock, publish, crashBefore } = platform;
  const posting = createPoster({
    egress: egressFor({
      allowHttp: config.ALLOW_HTTP_WEBHOOKS,
      allowCidrs: config.EGRESS_ALLOW_CIDRS,
      allowHosts: config.EGRESS_ALLOW_HOSTS,
    }),
    deadlineMs: config.DELIVERY_TIMEOUT,
    bodyDeadlineMs: config.BODY_TIMEOUT,
    bodyLimitBytes: LIMITS.bodyBytes,
  });
  const traced = tracing === null ? UNTRACED : traceDeliveries({ tracing, clock });
  const delivering = wireEngine({ config, platform, posting, watch, traced, log });
  const putAside = countQuarantined(metrics, [EVENTS_TOPIC, ...DELIVERING], createQuarantine(publish, log));
  const common = { ...platform, quarantine: putAside, log, fail };
  const deliveries = await startDeliveryConsumer({ ...common, engine: delivering });
  const rows = fanOutStore(database.collections);
  const store = { ...rows, insert: watch.insert(traced.insert(rows.insert)) };
  const events = await startEventConsumer({
    ...common,
    fanOut: watch.fanOut(
      traced.fanOut(
        createFanOut({
          store,
          enqueue: traced.enqueueFirst(crashBefore('fanout.enqueue', createEnqueue(publish))),
          clock,
        }),
      ),
    ),
  });
  registerPlatformMetrics(metrics, platform);
  registerOverdueMetrics(metrics, platform);
  registerEngineMetrics(metrics, delivering);
  const consumers = registerConsumerMetrics(metrics, platform, [
    { groupId: 'dispatcher', topics: DELIVERING, watch: deliveries },
    { groupId: 'fan-out', topics: [EVENTS_TOPIC], watch: events },
  ]);
  const served = await startMetricsServer(metrics, { host: config.HOST, port: config.METRICS_PORT });
  const health = await startHealthServer({
    host: config.HOST,
    port: config.HEALTH_PORT,
    alive: () => deliveries.alive() && events.alive(),
    readiness: () => [
      ...readinessProblems('delivery consumer', deliveries),
      ...readinessProblems('event consumer', events),
    ],
  });
  void Promise.all([deliveries.joined, events.joined]).then(() =>
    log.info({ event: 'ready', healthPort: health.port, metricsPort: served.port }, 'delivering'),
  );
  return {
    async stop() {
      await events.stop();
      await deliveries.leave(SETTLE_BEFORE_LEAVING_MS);
      await delivering.quiesce(config.DELIVERY_TIMEOUT + RECORDING_MS);
      delivering.close();
      await Promise.all([
        consumers.close(),
        platform.close(),
        posting.close(),
        health.close(),
        served.close(),
      ]);
      await tracing?.close();
    },
  };
}

interface EngineWiring {
  readonly config: Config;
  readonly platform: Platform;
  readonly posting: Poster;
  readonly watch: DispatcherInstrumentation;
  readonly traced: DeliveryTracing;
  readonly log: Logger;
}

function wireEngine({ config, platform, posting, watch, traced, log }: EngineWiring): Engine {
  const { database, relay, clock, partitions, publish, crashBefore } = platform;
  const store = settlementStore({ database, relay, clock, outboxClaimMs: config.OUTBOX_CLAIM });
  return createEngine({
    store: {
      ...store,
      read: watch.read(store.read),
      settle: watch.settle(crashBefore('attempt.settle', store.settle)),
    },
    backlog: recoveryFrom(config.FAILPOINTS, backlog(database.collections)),
    sendAttempt: watch.attempt(
      traced.attempt(
        createSendAttempt({
          poster: posting,
          keys: createKeyring(createSecretBox(config.ENCRYPTION_KEYS).open),
          clock,
          userAgent: `Postrider/${VERSION}`,
        }),
      ),
    ),
    enqueue: watch.enqueue(crashBefore('delivery.enqueue', createEnqueue(publish))),
    clock,
    partitionOf: createPartitioner(partitions),
    stepMs: config.RETRY_STEP,
    onPoisoned: watch.countPoisoned,
    isDatabaseAway,
    limits: {
      ...LIMITS.engine,
      batchSize: config.BATCH_SIZE,
      perEndpoint: config.MAX_CONCURRENCY,
      total: config.MAX_IN_FLIGHT,
      slow: Math.ceil(config.MAX_IN_FLIGHT / 2),
    },
    log,
  });
}
