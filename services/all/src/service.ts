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
  const aside = createServer((request, response) =>
    request.url === '/metrics' ? metricsRequest(request, response) : healthRequest(request, response),
  );
  const asideListener = await listen(aside, { host: config.HOST, port: config.METRICS_PORT });
  const liveness = await own.startLivenessServer({
    host: config.HOST,
    port: config.LIVENESS_PORT,
    alive: host.health.alive,
  });
  const unused = { ...config, HEALTH_PORT: config.METRICS_PORT };
  const services = await Promise.all([
    startApi(config, log, fail, { host }),
    startDispatcher(unused, log, fail, host),
    startDlqConsumer(unused, log, fail, host),
  ]);
  void host.ready.then(({ port }) =>
    log.info(
      { event: 'ready', port, healthPort: asideListener.port, metricsPort: asideListener.port },
      'serving and delivering',
    ),
  );
  return {
    async stop() {
      await Promise.all(services.map((service) => service.stop()));
      // Last: until here requests and attempts leave records for the outbox.
      await platform.close();
      await Promise.all([asideListener.close(), liveness.close()]);
    },
  };
}
