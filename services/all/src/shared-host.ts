import type { Metrics } from '@postrider/shared/metrics/metrics';
import { type Host, NOT_LISTENING, type Ports } from '@postrider/shared/platform/host';
import type { Platform } from '@postrider/shared/platform/platform';
import type { Health } from '@postrider/shared/runtime/health-server';

export interface SharedHost extends Host {
  /** The health of all services together. */
  readonly health: Health;
  /** The ports of all services, once all are ready. */
  readonly ready: Promise<Ports>;
}

interface SharedHostParts {
  readonly platform: Platform;
  readonly metrics: Metrics;
  /** How many services share the process. */
  readonly services: number;
}

/** One process for several services: one platform, one set of metrics, one health. The owner closes the platform. */
export function createSharedHost({ platform, metrics, services }: SharedHostParts): SharedHost {
  const parts: Health[] = [];
  const ready = Promise.withResolvers<Ports>();
  let ports: Ports = {};
  let announced = 0;
  return {
    connect: async () => ({ ...platform, close: async () => {} }),
    createMetrics: () => metrics,
    startMetricsServer: async () => NOT_LISTENING,
    async startHealthServer(health) {
      parts.push(health);
      return NOT_LISTENING;
    },
    startLivenessServer: async () => NOT_LISTENING,
    announce(_, more) {
      ports = { ...more, ...ports };
      announced += 1;
      if (announced === services) ready.resolve(ports);
    },
    health: {
      alive() {
        const stuck = parts.filter(({ alive }) => !alive()).length;
        // All at once lack a broker, not a restart, which would end the api as well.
        return stuck === 0 || stuck === parts.length;
      },
      readiness: () => [
        ...(announced < services ? ['not all services have started'] : []),
        ...parts.flatMap(({ readiness }) => readiness()),
      ],
    },
    ready: ready.promise,
  };
}
