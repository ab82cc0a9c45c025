import { cachedProbe } from '@postrider/shared/metrics/cached-probe';
import type { Metrics } from '@postrider/shared/metrics/metrics';
import { systemStats } from '@postrider/shared/mongo/system-stats';
import type { Platform } from '@postrider/shared/platform/platform';
import type { Log } from '@postrider/shared/ports/log';
import { type AttemptInstrumentation, instrumentAttempts } from './instrument-attempts.js';
import { instrumentPorts, type PortInstrumentation } from './instrument-ports.js';

export type DispatcherInstrumentation = AttemptInstrumentation & PortInstrumentation;

interface WatchParts {
  readonly metrics: Metrics;
  readonly log: Log;
  /** Of the attempts that delivered, the part that is logged: 0 to 1. */
  readonly sampleDelivered: number;
}

/** Everything that stands around the ports of the dispatcher to count, time and log. */
export function instrumentDispatcher({
  metrics,
  log,
  sampleDelivered,
}: WatchParts): DispatcherInstrumentation {
  const monotonicMs = () => performance.now();
  const isSampled = () => Math.random() < sampleDelivered;
  return {
    ...instrumentAttempts({ metrics, log, isSampled, monotonicMs }),
    ...instrumentPorts(metrics, monotonicMs),
  };
}

/** Tells how far deliveries are behind, as the rows have it. */
export function registerOverdueMetrics(
  metrics: Metrics,
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
): void {
  const { overdue } = systemStats(database.collections);
  const now = cachedProbe(() => overdue(clock.now()));
  metrics.gauge('postrider_oldest_due_seconds', async () => (await now()).lateMs / 1_000);
  metrics.gauge('postrider_overdue_endpoints', async () => (await now()).endpoints);
}
