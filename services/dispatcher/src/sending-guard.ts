import { randomUUID } from 'node:crypto';
import type { Metrics } from '@postrider/shared/metrics/metrics';
import { createClockHoldRecord, createGuardRecords } from '@postrider/shared/mongo/outage-guard-records';
import type { Platform } from '@postrider/shared/platform/platform';
import type { Log } from '@postrider/shared/ports/log';
import { waitAtMost } from '@postrider/shared/runtime/with-timeout';
import type { Config } from './config.js';
import { createClockHold } from './guard/clock-hold.js';
import { createClockHoldSharing } from './guard/clock-hold-sharing.js';
import { type StartedGuard, startOutageGuard } from './guard/start-outage-guard.js';
import { guardSettings } from './guard-config.js';
import { registerGuardMetrics } from './instrumentation/guard-metrics.js';
import type { SendingGuard } from './ports/guard.js';

interface SendingGuardParts {
  readonly config: Config;
  readonly platform: Pick<Platform, 'database' | 'clock'>;
  readonly reaches: (origin: string) => Promise<boolean>;
  readonly metrics: Metrics;
  readonly monotonicMs: () => number;
  readonly log: Log;
}

/** How often the clocks are compared without any POST, in milliseconds: as often as the database's clock is measured. */
const COMPARE_CLOCKS_MS = 10_000;
/** How long a process that stops waits for what others found, in milliseconds: the database may be away. */
const REFRESH_MS = 1_000;

/** Everything that holds sending: the outage guard and a clock that is wrong. */
export function startSendingGuard(parts: SendingGuardParts): SendingGuard & { stop(): void } {
  const { config, platform, metrics, monotonicMs, log } = parts;
  const { clock, database } = platform;
  const publisher = { processId: randomUUID(), clock };
  const outage: StartedGuard = startOutageGuard({
    settings: guardSettings(config),
    canaryEveryMs: config.OUTAGE_GUARD_CANARY_INTERVAL,
    references: config.OUTAGE_GUARD_REFERENCES,
    records: createGuardRecords(database.collections, publisher),
    reaches: parts.reaches,
    monotonicMs,
    log,
  });
  const clocks = createClockHold({ clock, wallMs: () => Date.now(), log });
  const shareClockHold = createClockHoldSharing({
    isHolding: clocks.isHolding,
    record: createClockHoldRecord(database.collections, publisher),
    log,
  });
  let resume = () => {};
  const compareClocks = () => {
    const resumes = clocks.check();
    if (resumes || clocks.isHolding()) shareClockHold();
    if (resumes) resume();
  };
  compareClocks();
  const timer = setInterval(compareClocks, COMPARE_CLOCKS_MS).unref();
  registerGuardMetrics(metrics, { outage, clocks });
  return {
    allowance() {
      if (clocks.hasMoved()) compareClocks();
      return clocks.isHolding() ? 0 : outage.allowance();
    },
    recordOrDiscard: outage.recordOrDiscard,
    refresh: () => waitAtMost(outage.refresh(), REFRESH_MS),
    decideNow: outage.decideNow,
    waitMs: outage.waitMs,
    onAllowed(callback) {
      resume = callback;
      outage.onAllowed(callback);
    },
    stop() {
      clearInterval(timer);
      outage.stop();
    },
  };
}
