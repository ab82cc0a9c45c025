import { cachedRead } from '@postrider/shared/metrics/cached-read';
import type { Metrics } from '@postrider/shared/metrics/metrics';
import { createSystemStats } from '@postrider/shared/mongo/system-stats';
import type { Platform } from '@postrider/shared/platform/platform';
import type { Log } from '@postrider/shared/ports/log';
import { createFailedLines } from './failed-lines.js';
import { type AttemptInstrumentation, instrumentAttempts } from './instrument-attempts.js';
import { instrumentPorts, type PortInstrumentation } from './instrument-ports.js';

export type DispatcherInstrumentation = AttemptInstrumentation & PortInstrumentation;

/** Which attempts are logged. */
interface Logged {
  /** The fraction of delivered ones. */
  readonly delivered: number;
  readonly failedPerSecond: number;
}

/** Decorators of the dispatcher's ports that count, time and log. */
export function instrumentDispatcher(metrics: Metrics, log: Log, logged: Logged): DispatcherInstrumentation {
  const monotonicMs = () => performance.now();
  const isSampled = () => Math.random() < logged.delivered;
  const failedLines = createFailedLines({ perSecond: logged.failedPerSecond, monotonicMs });
  return {
    ...instrumentAttempts({ metrics, log, isSampled, failedLines, monotonicMs }),
    ...instrumentPorts(metrics, monotonicMs),
  };
}

/** Registers the gauges of overdue deliveries, computed from the rows. */
export function registerOverdueMetrics(
  metrics: Metrics,
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
): void {
  const { overdue } = createSystemStats(database.collections);
  const figures = cachedRead(() => overdue(clock.now()));
  metrics.gauge('postrider_oldest_due_seconds', async () => (await figures()).lateMs / 1_000);
  metrics.gauge('postrider_overdue_endpoints', async () => (await figures()).endpoints);
}
