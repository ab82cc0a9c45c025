import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';

export interface ClockHoldParts {
  /** The clock that dates signatures; it follows the database. */
  readonly clock: Clock;
  /** The machine's own clock, in milliseconds. */
  readonly wallMs: () => number;
  readonly log: Log;
}

export interface ClockHold {
  isHolding(): boolean;
  /** Compares the clocks. @returns whether sending was held until now and is not any more */
  check(): boolean;
}

/** Receivers refuse signatures whose time is more than five minutes from their own. */
const MAX_SKEW_MS = 60_000;

/** Holds sending while the database's clock is far from the machine's: one of them is wrong, and so would signatures be. */
export function createClockHold({ clock, wallMs, log }: ClockHoldParts): ClockHold {
  let holding = false;
  return {
    isHolding: () => holding,
    check() {
      const skewMs = clock.now().getTime() - wallMs();
      const before = holding;
      holding = Math.abs(skewMs) > MAX_SKEW_MS;
      if (holding)
        log.error(
          { event: 'clock.holding', skewMs: Math.round(skewMs) },
          "the database's clock and this machine's differ by more than 60 s: sending is held until they agree",
        );
      else if (before) log.warn({ event: 'clock.agreed' }, 'the clocks agree again: sending resumes');
      return before && !holding;
    },
  };
}
