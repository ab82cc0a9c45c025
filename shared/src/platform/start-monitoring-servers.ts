import type { Metrics } from '../metrics/metrics.js';
import type { Health } from '../runtime/health-server.js';
import type { Host, Ports } from './host.js';

interface MonitoringParts extends Health {
  readonly config: {
    readonly HOST: string;
    readonly HEALTH_PORT: number;
    readonly LIVENESS_PORT: number | undefined;
    readonly METRICS_PORT: number;
  };
  readonly metrics: Metrics;
}

export interface MonitoringServers {
  readonly ports: Pick<Ports, 'healthPort' | 'metricsPort'>;
  close(): Promise<void>;
}

/** Starts the servers of a service that serves no callers: metrics, liveness and health. */
export async function startMonitoringServers(
  host: Host,
  { config, metrics, alive, readiness }: MonitoringParts,
): Promise<MonitoringServers> {
  const on = (port: number) => ({ host: config.HOST, port });
  const metricsServer = await host.startMetricsServer(metrics, on(config.METRICS_PORT));
  const liveness = await host.startLivenessServer({ host: config.HOST, port: config.LIVENESS_PORT, alive });
  const health = await host.startHealthServer({ ...on(config.HEALTH_PORT), alive, readiness });
  return {
    ports: { healthPort: health.port, metricsPort: metricsServer.port },
    async close() {
      await Promise.all([health.close(), liveness.close(), metricsServer.close()]);
    },
  };
}
