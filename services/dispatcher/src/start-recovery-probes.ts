import { isDatabaseAway } from '@postrider/shared/mongo/database-away';
import { createRecoveryProbeStore } from '@postrider/shared/mongo/recovery-probe-store';
import type { Platform } from '@postrider/shared/platform/platform';
import type { Log } from '@postrider/shared/ports/log';
import { sleep } from '@postrider/shared/runtime/sleep';
import { waitAtMost } from '@postrider/shared/runtime/with-timeout';
import type { Config } from './config.js';
import { createHandleRecoveryProbes } from './handle-recovery-probes.js';

/** Number of searches for due recovery probes in one step of their schedule. */
const POLLS_PER_STEP = 10;

export interface RunningRecoveryProbes {
  /** Looks for no more of them. Resolves when none are being stored, or after `withinMs`. */
  stop(withinMs: number): Promise<void>;
}

/**
 * Stores the recovery probes of disabled endpoints when they are due. They are sent like all deliveries, by the owners of their
 * endpoints.
 */
export function startRecoveryProbes(
  { PROBE_STEP: probeStepMs, OUTBOX_CLAIM: outboxClaimMs }: Pick<Config, 'PROBE_STEP' | 'OUTBOX_CLAIM'>,
  platform: Pick<Platform, 'database' | 'relay' | 'clock' | 'featureLevel' | 'outcomes'>,
  log: Log,
): RunningRecoveryProbes {
  const stopped = new AbortController();
  const handleDue = createHandleRecoveryProbes({
    ...platform,
    store: createRecoveryProbeStore({ ...platform, outboxClaimMs }),
    probeStepMs,
    isDatabaseAway,
    isStopped: () => stopped.signal.aborted,
    log,
  });
  const run = async () => {
    while (!stopped.signal.aborted) {
      try {
        if (platform.featureLevel.allows('endpointRecovery')) await handleDue();
      } catch (err) {
        log.warn({ event: 'probes.failed', err }, 'due recovery probes could not be stored; trying again');
      }
      // Processes that started together do not look at the same time.
      const waitMs = (probeStepMs / POLLS_PER_STEP) * (0.75 + Math.random() / 2);
      await sleep(waitMs, { signal: stopped.signal, ref: false }).catch(() => {});
    }
  };
  const running = run();
  return {
    async stop(withinMs) {
      stopped.abort();
      await waitAtMost(running, withinMs);
    },
  };
}
