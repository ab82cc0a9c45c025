import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import type { SettlementStore } from '@postrider/shared/ports/settlement';
import { waitAtMost } from '@postrider/shared/runtime/with-timeout';
import type { Workload } from '../jobs/workload.js';

interface ExtendDueTimesParts {
  readonly workload: Pick<Workload, 'attempted'>;
  readonly store: Pick<SettlementStore, 'extendDueTimes'>;
  readonly clock: Clock;
  /** Maximum time from the start of an attempt until it is recorded, in milliseconds. */
  readonly attemptLimitMs: number;
  readonly log: Log;
}

/** Maximum time that a stop waits for this update, in milliseconds. */
const WITHIN_MS = 1_000;

/**
 * When endpoints move to another process, rows whose attempts were sent but not recorded become due once these must have
 * been recorded. Otherwise the next owner would repeat the attempts. If this process is killed, it makes them then.
 */
export function createExtendDueTimes(
  parts: ExtendDueTimesParts,
): (isLeaving: (endpointId: string) => boolean) => Promise<void> {
  const { workload, store, clock, attemptLimitMs, log } = parts;
  return async (isLeaving) => {
    const attempts = workload.attempted(isLeaving).map(({ message }) => message);
    if (attempts.length === 0) return;
    const until = new Date(clock.now().getTime() + attemptLimitMs);
    const extended = store
      .extendDueTimes(attempts, until)
      .catch((err: unknown) =>
        log.warn(
          { event: 'attempts.extend_failed', size: attempts.length, err },
          'the due times of attempts in progress could not be extended: the next owner of their endpoints may make these attempts as well',
        ),
      );
    await waitAtMost(extended, WITHIN_MS);
  };
}
