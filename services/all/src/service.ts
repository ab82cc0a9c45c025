import { createServer } from 'node:http';
import { startApi } from '@postrider/api/service';
import { startDispatcher } from '@postrider/dispatcher/service';
import { startDlqConsumer } from '@postrider/dlq-consumer/service';
import { createMetrics } from '@postrider/shared/metrics/metrics';
import { answerMetrics } from '@postrider/shared/metrics/metrics-server';
import { ownProcess } from '@postrider/shared/platform/host';
import { answerHealth } from '@postrider/shared/runtime/health-server';
import type { OwnProcess, Service } from '@postrider/shared/runtime/lifecycle';
import { listen } from '@postrider/shared/runtime/listen';
import type { Logger } from '@postrider/shared/runtime/log';
import { VERSION } from '@postrider/shared/runtime/version';
import type { Config } from './config.js';
import { createSharedHost } from './shared-host.js';

/** api, dispatcher and dlq-consumer in one process, with the same parts as in three. */
export async function startAll(
  config: Config,
  log: Logger,
  { fail, stopping }: OwnProcess,
): Promise<Service> {
  const metrics = createMetrics('all', VERSION);
  const own = ownProcess(stopping);
  const platform = await own.connect(config, 'all', log);
  const host = createSharedHost({ platform, metrics, services: 3 });
  const [metricsRequest, healthRequest] = [answerMetrics(metrics), answerHealth(host.health)];
  const monitoringServer = createServer((request, response) =>
    request.url === '/metrics' ? metricsRequest(request, response) : healthRequest(request, response),
  );
  const monitoring = await listen(monitoringServer, { host: config.HOST, port: config.METRICS_PORT });
  const liveness = await own.startLivenessServer({
    host: config.HOST,
    port: config.LIVENESS_PORT,
    alive: host.health.alive,
  });
  // The host serves the health of all three with the metrics, whatever port they name.
  const consumersConfig = { ...config, HEALTH_PORT: config.METRICS_PORT };
  const services = await Promise.all([
    startApi(config, log, { host }),
    startDispatcher(consumersConfig, log, { fail, host }),
    startDlqConsumer(consumersConfig, log, { fail, host }),
  ]);
  void host.ready.then(({ port }) =>
    log.info(
      { event: 'ready', port, healthPort: monitoring.port, metricsPort: monitoring.port },
      'serving and delivering',
    ),
  );
  return {
    async stop() {
      await Promise.all(services.map((service) => service.stop()));
      // Last: until here requests and attempts leave records for the outbox.
      await platform.close();
      await Promise.all([monitoring.close(), liveness.close()]);
    },
  };
}
