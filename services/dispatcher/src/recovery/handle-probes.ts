import { createdOutcomes } from '@postrider/shared/domain/delivery-outcome';
import type { EndpointId } from '@postrider/shared/domain/id';
import { planRecoveryProbe } from '@postrider/shared/domain/recovery-probe';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import type { ReportOutcomes } from '@postrider/shared/ports/outcomes';
import type { RecoveryProbeStore } from '@postrider/shared/ports/recovery-probes';
import { isolate } from '@postrider/shared/runtime/isolate';

/** Maximum number of endpoints that one transaction handles. */
const BATCH = 100;

export interface HandleProbesParts {
  readonly store: RecoveryProbeStore;
  readonly probeStepMs: number;
  readonly report: ReportOutcomes;
  readonly clock: Clock;
  readonly isDatabaseAway: (error: unknown) => boolean;
  readonly isStopped: () => boolean;
  readonly log: Log;
}

/** Stores all recovery probes that are due, except those that the database rejects although it accepts others. */
export function createHandleProbes(parts: HandleProbesParts): () => Promise<void> {
  const { store, probeStepMs, report, clock, isDatabaseAway, isStopped, log } = parts;
  const handle = async (endpointIds: readonly EndpointId[]) => {
    const now = clock.now();
    const created = await store.handle(endpointIds, now, (endpoint) =>
      planRecoveryProbe(endpoint, now, probeStepMs),
    );
    report(createdOutcomes(created, clock.now()));
  };
  /** @returns those that are rejected */
  const handleOrIsolate = async (endpointIds: readonly EndpointId[]): Promise<readonly EndpointId[]> => {
    try {
      await handle(endpointIds);
      return [];
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
    }
    const { poisoned, failure } = await isolate(endpointIds, (id) => handle([id]), isDatabaseAway);
    if (failure !== null) throw failure.error;
    for (const [endpointId, err] of poisoned)
      log.warn(
        { event: 'probes.rejected', endpointId, err },
        'the database rejects the recovery probe of an endpoint although it stores others; it is tried again with the next ones',
      );
    return [...poisoned.keys()];
  };
  return async () => {
    const rejected: EndpointId[] = [];
    while (!isStopped()) {
      const due = await store.due(clock.now(), BATCH, rejected);
      if (due.length === 0) return;
      rejected.push(...(await handleOrIsolate(due)));
    }
  };
}
