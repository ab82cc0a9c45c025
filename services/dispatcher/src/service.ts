import { createEgress } from '@postrider/shared/domain/webhook-url';
import { readinessProblems } from '@postrider/shared/kafka/consumer-monitor';
import { createPartitioner } from '@postrider/shared/kafka/partition-of';
import { createQuarantine } from '@postrider/shared/kafka/quarantine';
import type { Metrics } from '@postrider/shared/metrics/metrics';
import { isDatabaseAway } from '@postrider/shared/mongo/database-away';
import { fitsRow } from '@postrider/shared/mongo/fits-row';
import { egressRules } from '@postrider/shared/platform/egress-config';
import { type Host, OWN_PROCESS } from '@postrider/shared/platform/host';
import type { Platform } from '@postrider/shared/platform/platform';
import {
  countQuarantined,
  registerConsumerMetrics,
  registerPlatformMetrics,
} from '@postrider/shared/platform/platform-metrics';
import { startMonitoringServers } from '@postrider/shared/platform/start-monitoring-servers';
import { DELIVERIES_TOPIC, EVENTS_TOPIC, RETRY_TOPICS } from '@postrider/shared/ports/topics';
import { busyShare } from '@postrider/shared/runtime/busy-share';
import type { Fail, Service } from '@postrider/shared/runtime/lifecycle';
import type { Logger } from '@postrider/shared/runtime/log';
import { createPacer } from '@postrider/shared/runtime/pacer';
import { createSecretBox } from '@postrider/shared/runtime/secret-box';
import { createCpuTime, threadCpuMs } from '@postrider/shared/runtime/thread-cpu';
import { createTurnLimits } from '@postrider/shared/runtime/turns';
import { VERSION } from '@postrider/shared/runtime/version';
import { startTracing } from '@postrider/shared/tracing/start-tracing';
import type { Config } from './config.js';
import { startDeliveryConsumer } from './consumer/delivery-consumer.js';
import { startEventConsumer } from './consumer/event-consumer.js';
import { createOwnership } from './consumer/ownership.js';
import { countSettled } from './count-stats.js';
import { createPorts } from './create-ports.js';
import { createEngine } from './engine/engine.js';
import type { EngineParts } from './engine/engine-parts.js';
import { createKeyring } from './engine/sending/keyring.js';
import { createFanOut } from './fan-out/fan-out.js';
import { registerEngineMetrics } from './instrumentation/engine-metrics.js';
import { instrumentDispatcher, registerOverdueMetrics } from './instrumentation/instrument-dispatcher.js';
import { countPosterEvents } from './instrumentation/poster-metrics.js';
import { engineLimits, LIMITS } from './limits.js';
import { logProxyFailures } from './log-proxy-failures.js';
import { type ClosablePoster, createPoster } from './post/poster.js';
import { reportSettled } from './report-outcomes.js';
import { startSendingGuard } from './sending-guard.js';
import { startConformanceChecks } from './start-conformance-checks.js';
import { startRecoveryProbes } from './start-recovery-probes.js';
import { attemptLimitMs } from './stop-limit.js';

/** How long a stop waits for the chunk in progress and for attempts that are nearly settled, before it leaves its groups. */
const SETTLE_BEFORE_LEAVING_MS = 2_000;
/** How long a stop waits for other writes, which may conflict for longer than a stop may take. */
const WAIT_FOR_WRITES_MS = 2_000;

const USER_AGENT = `Postrider/${VERSION}`;
const ENGINE_TOPICS = [DELIVERIES_TOPIC, ...RETRY_TOPICS];
/** A clock that never steps, in milliseconds. */
const monotonicMs = () => performance.now();

/** The composition root of the dispatcher. */
export async function startDispatcher(
  config: Config,
  log: Logger,
  { fail, host = OWN_PROCESS }: { readonly fail: Fail; readonly host?: Host },
): Promise<Service> {
  const metrics = host.createMetrics('dispatcher', VERSION);
  const metered = instrumentDispatcher(metrics, log, {
    delivered: config.LOG_SAMPLE_DELIVERED,
    failedPerSecond: config.LOG_FAILED_PER_SECOND,
  });
  const tracing = await startTracing(config, 'dispatcher');
  const platform = await host.connect(config, 'dispatcher', log);
  const poster = createMeteredPoster(config, { metrics, log });
  const keys = createKeyring(createSecretBox(config.ENCRYPTION_KEYS).open);
  const ports = createPorts({
    config,
    platform,
    poster,
    keys,
    metered,
    tracing,
    userAgent: USER_AGENT,
    monotonicMs,
  });
  const guard = startSendingGuard({
    config,
    platform,
    reaches: poster.reaches,
    metrics,
    monotonicMs,
    log,
  });
  const checks = startConformanceChecks({
    config,
    platform,
    poster,
    keys,
    guard,
    userAgent: USER_AGENT,
    log,
  });
  const ownership = createOwnership({ ...platform, monotonicMs });
  const turnLimit = createTurnLimits(LIMITS.turn, createCpuTime(threadCpuMs, monotonicMs));
  const engine = createEngine({
    ...ports.engine,
    guard,
    clock: platform.clock,
    featureLevel: platform.featureLevel,
    ownedUntil: ownership.until,
    isCutOff: ownership.isCutOff,
    monotonicMs,
    busy: busyShare,
    turnLimit,
    partitionOf: createPartitioner(platform.partitions),
    retryStepMs: config.RETRY_STEP,
    attemptLimitMs: attemptLimitMs(config),
    onSettled: createOnSettled(platform),
    onPoisoned: metered.countPoisoned,
    isDatabaseAway,
    createPacer,
    limits: engineLimits(config),
    log,
  });
  const quarantine = countQuarantined(
    metrics,
    [EVENTS_TOPIC, ...ENGINE_TOPICS],
    createQuarantine(platform.publish, log),
  );
  const consumerParts = { ...platform, quarantine, turnLimit, log, fail };
  const fanOut = createFanOut({
    ...ports.fanOut,
    handOver: platform.crashBefore('fanout.hand_over', engine.handOver),
    unstartedRows: engine.unstartedRows,
    starts: engine.starts,
    mayHold: () => platform.featureLevel.allows('heldDeliveries'),
    heldPerEndpoint: config.HELD_PER_ENDPOINT,
    isDatabaseAway,
    busy: busyShare,
    clock: platform.clock,
    monotonicMs,
    wallMs: () => Date.now(),
    log,
  });
  // Each join stops the other members of its group for a moment, so both happen at the same time.
  const [deliveries, events] = await Promise.all([
    startDeliveryConsumer({ ...consumerParts, engine, ownership, retryStepMs: config.RETRY_STEP }),
    startEventConsumer({ ...consumerParts, fanOut, limits: LIMITS.fanOut, fitsRow }),
  ]);
  const recoveryProbes = startRecoveryProbes(config, platform, log);
  registerPlatformMetrics(metrics, platform);
  registerOverdueMetrics(metrics, platform);
  registerEngineMetrics(metrics, engine, events);
  const consumers = registerConsumerMetrics(metrics, platform, [
    { groupId: 'dispatcher', topics: ENGINE_TOPICS, monitor: deliveries },
    { groupId: 'fan-out', topics: [EVENTS_TOPIC], monitor: events },
  ]);
  const monitoring = await startMonitoringServers(host, {
    config,
    metrics,
    alive: () => deliveries.alive() && events.alive(),
    readiness: () => [
      ...readinessProblems('delivery consumer', deliveries),
      ...readinessProblems('event consumer', events),
    ],
  });
  void Promise.all([deliveries.joined, events.joined]).then(() =>
    host.announce(log, monitoring.ports, 'delivering'),
  );
  return {
    async stop() {
      await Promise.all([
        recoveryProbes.stop(WAIT_FOR_WRITES_MS),
        checks.stop(WAIT_FOR_WRITES_MS),
        events.leave(SETTLE_BEFORE_LEAVING_MS),
        deliveries.leave(SETTLE_BEFORE_LEAVING_MS),
      ]);
      await engine.quiesce(attemptLimitMs(config));
      engine.close();
      guard.stop();
      await Promise.all([consumers.close(), platform.close(), poster.close(), monitoring.close()]);
      await tracing?.close();
    },
  };
}

function createMeteredPoster(
  config: Config,
  { metrics, log }: { readonly metrics: Metrics; readonly log: Logger },
): ClosablePoster {
  return createPoster({
    egress: createEgress(egressRules(config)),
    proxy: config.EGRESS_PROXY === '' ? null : new URL(config.EGRESS_PROXY),
    onProxyFailure: logProxyFailures({ log, monotonicMs }),
    ...(config.EGRESS_NAME_SERVERS.length > 0 && { nameServers: config.EGRESS_NAME_SERVERS }),
    deadlineMs: config.DELIVERY_TIMEOUT,
    bodyDeadlineMs: config.BODY_TIMEOUT,
    bodyLimitBytes: LIMITS.bodyBytes,
    ...countPosterEvents(metrics),
  });
}

function createOnSettled({ outcomes, stats }: Platform): EngineParts['onSettled'] {
  const [report, count] = [reportSettled(outcomes), countSettled(stats)];
  return (settled) => {
    report(settled);
    count(settled);
  };
}
