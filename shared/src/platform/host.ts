import { createMetrics, type Metrics } from '../metrics/metrics.js';
import { startMetricsServer } from '../metrics/metrics-server.js';
import type { Log } from '../ports/log.js';
import { abandonOn } from '../runtime/abandon-on.js';
import { type Health, startHealthServer } from '../runtime/health-server.js';
import type { Address, Listener } from '../runtime/listen.js';
import { startLivenessServer } from '../runtime/liveness-server.js';
import { connectPlatform, type Platform } from './platform.js';
import type { PlatformConfig } from './platform-config.js';

/** The ports that a service listens on. */
export interface Ports {
  readonly port?: number;
  readonly healthPort?: number;
  readonly metricsPort?: number;
}

export interface Liveness extends Pick<Health, 'alive'> {
  readonly host: string;
  readonly port: number | undefined;
}

/** A listener that does not listen, or that another part owns. */
export const NOT_LISTENING: Listener = { port: 0, close: async () => {} };

/** The process that a service runs in. Services that share one share its connections, its metrics and its ports. */
export interface Host {
  connect(config: PlatformConfig, service: string, log: Log): Promise<Platform>;
  readonly createMetrics: typeof createMetrics;
  startMetricsServer(metrics: Metrics, address: Address): Promise<Listener>;
  startHealthServer(health: Health & Address): Promise<Listener>;
  /** Serves `/healthz` from a thread of its own, if there is a port for it. */
  startLivenessServer(liveness: Liveness): Promise<Listener>;
  /** Logs that the service is ready. */
  announce(log: Log, ports: Ports, message: string): void;
}

/** A process that runs one service alone. */
export const OWN_PROCESS: Host = {
  connect: connectPlatform,
  createMetrics,
  startMetricsServer,
  startHealthServer,
  startLivenessServer: async ({ port, ...liveness }) =>
    port === undefined ? NOT_LISTENING : startLivenessServer({ ...liveness, port }),
  announce: (log, ports, message) => log.info({ event: 'ready', ...ports }, message),
};

/**
 * The same, for a process that may be stopped while it waits for its servers: there is no work yet, so it waits no longer, and
 * the connections that it has opened end with it.
 */
export function ownProcess(stopping: AbortSignal): Host {
  return {
    ...OWN_PROCESS,
    connect: (config, service, log) => abandonOn(stopping, connectPlatform(config, service, log, stopping)),
  };
}
