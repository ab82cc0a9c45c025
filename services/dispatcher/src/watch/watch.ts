import { look } from '@postrider/shared/metrics/look';
import type { Metrics } from '@postrider/shared/metrics/metrics';
import { vitals } from '@postrider/shared/mongo/vitals';
import type { Platform } from '@postrider/shared/platform/platform';
import type { Log } from '@postrider/shared/ports/log';
import { type AttemptWatch, watchAttempts } from './watch-attempts.js';
import { type PortWatch, watchPorts } from './watch-ports.js';

export type Watch = AttemptWatch & PortWatch;

interface WatchParts {
  readonly metrics: Metrics;
  readonly log: Log;
  /** Of the attempts that delivered, the part that is logged: 0 to 1. */
  readonly sampleDelivered: number;
}

/** Everything that stands around the ports of the dispatcher to count, time and log. */
export function watchDispatcher({ metrics, log, sampleDelivered }: WatchParts): Watch {
  const monotonicMs = () => performance.now();
  const isSampled = () => Math.random() < sampleDelivered;
  return { ...watchAttempts({ metrics, log, isSampled, monotonicMs }), ...watchPorts(metrics, monotonicMs) };
}

/** Tells how far deliveries are behind, as the rows have it. */
export function tellOverdue(
  metrics: Metrics,
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
): void {
  const { overdue } = vitals(database.collections);
  const now = look(() => overdue(clock.now()));
  metrics.gauge('postrider_oldest_due_seconds', async () => (await now()).lateMs / 1_000);
  metrics.gauge('postrider_overdue_endpoints', async () => (await now()).endpoints);
}
