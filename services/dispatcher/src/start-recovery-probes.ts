import { isDatabaseAway } from '@postrider/shared/mongo/database-away';
import { createRecoveryProbeStore } from '@postrider/shared/mongo/recovery-probe-store';
import type { Platform } from '@postrider/shared/platform/platform';
import type { Log } from '@postrider/shared/ports/log';
import { sleep } from '@postrider/shared/runtime/sleep';
import type { Config } from './config.js';
import { type RunningProbes, startProbes } from './recovery/start-probes.js';

/**
 * Stores the recovery probes of disabled endpoints when they are due. They are sent like all deliveries, by the owners of their
 * endpoints.
 */
export function startRecoveryProbes(
  { PROBE_STEP: probeStepMs, OUTBOX_CLAIM: outboxClaimMs }: Pick<Config, 'PROBE_STEP' | 'OUTBOX_CLAIM'>,
  platform: Pick<Platform, 'database' | 'relay' | 'clock' | 'featureLevel' | 'outcomes'>,
  log: Log,
): RunningProbes {
  return startProbes({
    store: createRecoveryProbeStore({ ...platform, outboxClaimMs }),
    probeStepMs,
    report: platform.outcomes.report,
    clock: platform.clock,
    mayProbe: () => platform.featureLevel.allows('endpointRecovery'),
    isDatabaseAway,
    sleep: (ms, signal) => sleep(ms, { signal, ref: false }),
    random: Math.random,
    log,
  });
}
