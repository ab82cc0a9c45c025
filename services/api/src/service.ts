import { isDatabaseAway } from '@postrider/shared/mongo/database-away';
import { checkSchemaVersion } from '@postrider/shared/mongo/migrate';
import { type Host, OWN_PROCESS } from '@postrider/shared/platform/host';
import type { Platform } from '@postrider/shared/platform/platform';
import { registerPlatformMetrics } from '@postrider/shared/platform/platform-metrics';
import type { Log } from '@postrider/shared/ports/log';
import type { Service } from '@postrider/shared/runtime/lifecycle';
import { sleep } from '@postrider/shared/runtime/sleep';
import { VERSION } from '@postrider/shared/runtime/version';
import { startTracing } from '@postrider/shared/tracing/start-tracing';
import { createAccessTokens } from './access-tokens/access-tokens.js';
import { oauthSettings } from './access-tokens/oauth-config.js';
import { createApp } from './app.js';
import type { Config } from './config.js';
import { createDocuments } from './document/documents.js';
import { readDocument } from './document/read-document.js';
import { startErasingSecrets } from './erase-secrets.js';
import { registerHousekeepingMetrics } from './housekeeping-metrics.js';
import { createAuthenticator } from './http/authenticate.js';
import type { RequestLimits } from './http/limit-rate.js';
import { createMeteredBudget, registerRequestMetrics } from './http/request-metrics.js';
import { startServer } from './http/server.js';
import { createDirectory } from './mongo/directory.js';
import { createErasePreviousSecrets } from './mongo/erase-previous-secrets.js';
import { operationDeps } from './operation-deps.js';
import { createCountHeld } from './operations/held-counts.js';
import { createInputRules } from './operations/input-rules.js';
import { limitDeps } from './operations/limit-deps.js';
import { createOperations } from './operations/operations.js';
import { createRateLimits, type Limits, multiply } from './rate-limits/rate-limits.js';
import { createSampledCounter } from './rate-limits/sampled-counter.js';
import { createSharedCounters, type SharedCounters } from './rate-limits/shared-counters.js';
import { createTokenBrake } from './rate-limits/token-brake.js';
import { createReadiness } from './readiness.js';
import { startResumingRevocations } from './resume-revocations.js';
import { startReplays } from './start-replays.js';
import { startStreams } from './start-streams.js';

/** The part of the platform that the api uses. */
export type ApiPlatform = Pick<
  Platform,
  | 'database'
  | 'clock'
  | 'clockOffsetMs'
  | 'featureLevel'
  | 'catalogue'
  | 'relay'
  | 'outcomes'
  | 'crashBefore'
  | 'stats'
  | 'kafka'
  | 'names'
  | 'close'
>;

/** Where it runs, and replacements for tests. */
export interface Overrides {
  readonly connect?: (config: Config, log: Log) => Promise<ApiPlatform>;
  readonly host?: Host;
}

export interface Api extends Service {
  readonly port: number;
  readonly metricsPort: number;
}

/** How long a stop waits for running requests. */
const FINISH_REQUESTS_MS = 10_000;

const RESUME_REVOCATIONS_EVERY_MS = 30_000;
const monotonicMs = () => performance.now();

/** The composition root of the api. */
export async function startApi(
  config: Config,
  log: Log,
  { host = OWN_PROCESS, connect = (...parts) => connectToPlatform(host, ...parts) }: Overrides = {},
): Promise<Api> {
  const platform = await connect(config, log);
  const { database, clock } = platform;
  const tracing = await startTracing(config, 'api');
  const metrics = host.createMetrics('api', VERSION);
  registerPlatformMetrics(metrics, platform);
  registerHousekeepingMetrics(metrics, database);
  const deps = operationDeps(config, platform, log);
  const countHeld = createCountHeld(deps);
  const directory = createDirectory(database.collections);
  const document = readDocument();
  const streams = startStreams({ config, platform, metrics, log });
  const brake = createTokenBrake({ limit: config.RATE_LIMIT_UNKNOWN_TOKENS, monotonicMs });
  const authenticate = createAuthenticator({ directory, brake, clock, log });
  const app = createApp({
    document,
    documents: createDocuments({
      document,
      version: VERSION,
      topicPrefix: config.TOPIC_PREFIX,
      catalogue: platform.catalogue,
    }),
    authenticate,
    oauth: createAccessTokens(oauthSettings(config), {
      directory,
      brake,
      clock,
      metrics,
      monotonicMs,
      log,
      otherwise: authenticate,
    }),
    streams,
    bodies: createMeteredBudget(metrics, 'bodies'),
    answers: createMeteredBudget(metrics, 'answers'),
    operations: {
      all: createOperations(deps, countHeld),
      limitedTo: (ids) => createOperations(limitDeps(deps, ids), countHeld),
      rules: createInputRules(deps),
    },
    ...requestLimits(config, createSharedCounters(database.collections), log),
    trustProxy: config.TRUST_PROXY,
    consoleFrameAncestors: config.CONSOLE_FRAME_ANCESTORS,
    mcpOrigins: config.MCP_ORIGINS,
    readiness: createReadiness({ checkSchema: () => checkSchemaVersion(database), isDatabaseAway, sleep }),
    isDatabaseAway,
    tracing,
    observe: registerRequestMetrics(metrics),
    log,
  });
  const stopErasing = startErasingSecrets({
    erase: createErasePreviousSecrets(database.collections),
    clock,
    log,
  });
  const replays = startReplays({ config, platform, sendingHolds: deps.sendingHolds, metrics, log });
  const liveness = await host.startLivenessServer({
    host: config.HOST,
    port: config.LIVENESS_PORT,
    alive: () => true,
  });
  const server = await startServer({ host: config.HOST, port: config.PORT, listener: app });
  const metricsServer = await host.startMetricsServer(metrics, {
    host: config.HOST,
    port: config.METRICS_PORT,
  });
  const revocations = startResumingRevocations({
    deps,
    findPending: directory.workspaceWithPendingFamilies,
    everyMs: RESUME_REVOCATIONS_EVERY_MS,
    log,
  });
  host.announce(log, { port: server.port, metricsPort: metricsServer.port }, 'serving');
  return {
    port: server.port,
    metricsPort: metricsServer.port,
    async stop() {
      stopErasing();
      revocations.stop();
      await Promise.all([server.close(FINISH_REQUESTS_MS), streams.close(), replays.stop()]);
      await Promise.all([platform.close(), metricsServer.close(), liveness.close(), tracing?.close()]);
    },
  };
}

const connectToPlatform = (host: Host, config: Config, log: Log): Promise<ApiPlatform> =>
  host.connect(config, 'api', log);

/** The limits of a client and of a workspace: a multiple, which is counted in portions to save writes. */
function requestLimits(config: Config, shared: SharedCounters, log: Log): RequestLimits {
  const limits = limitsOf(config);
  const factor = config.RATE_LIMIT_WORKSPACE_FACTOR;
  return {
    limits: createRateLimits({ limits, shared, monotonicMs, log }),
    workspaceLimits: createRateLimits({
      limits: multiply(limits, factor),
      shared: (bucket, limit) => createSampledCounter({ counter: shared(bucket, limit), limit, monotonicMs }),
      monotonicMs,
      log,
    }),
  };
}

const limitsOf = (config: Config): Limits => ({
  rest_read: config.RATE_LIMIT_REST_READ,
  rest_write: config.RATE_LIMIT_REST_WRITE,
  mcp: config.RATE_LIMIT_MCP,
  assistant: config.RATE_LIMIT_ASSISTANT,
  publish: config.RATE_LIMIT_PUBLISH,
});
