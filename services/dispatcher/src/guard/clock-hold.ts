import { MAX_CLOCK_SKEW_MS } from '@postrider/shared/domain/clock-skew';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';

interface ClockHoldParts {
  /** The clock that dates signatures; it follows the database. */
  readonly clock: Clock;
  /** The machine's own clock, in milliseconds. */
  readonly wallMs: () => number;
  readonly log: Log;
}

export interface ClockHold {
  isHolding(): boolean;
  /** Whether the clocks have moved against each other since they were compared, so that they should be compared again. */
  hasMoved(): boolean;
  /** Compares the clocks. @returns whether sending was held until now and no longer is */
  check(): boolean;
}

/** The clocks have moved if their difference has changed by more than this, in milliseconds. */
const MOVED_MS = 1_000;

/** Holds sending while the database's clock is far from the machine's: one of them is wrong, and so would signatures be. */
export function createClockHold({ clock, wallMs, log }: ClockHoldParts): ClockHold {
  const skewMs = () => clock.now().getTime() - wallMs();
  let holding = false;
  let comparedMs = 0;
  return {
    isHolding: () => holding,
    hasMoved: () => Math.abs(skewMs() - comparedMs) > MOVED_MS,
    check() {
      const before = holding;
      comparedMs = skewMs();
      holding = Math.abs(comparedMs) > MAX_CLOCK_SKEW_MS;
      if (holding)
        log.error(
          { event: 'clock.holding', skewMs: Math.round(comparedMs) },
          `the database's clock and this machine's differ by more than ${MAX_CLOCK_SKEW_MS / 1_000} s: ` +
            'sending is held until they agree; check time synchronisation on both',
        );
      else if (before) log.warn({ event: 'clock.agreed' }, 'the clocks agree again: sending resumes');
      return before && !holding;
    },
  };
}
