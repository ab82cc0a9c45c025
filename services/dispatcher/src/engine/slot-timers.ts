import { createDueTimer } from './due-timer.js';
import type { Job } from './job.js';
import type { EndpointScheduler } from './scheduler/endpoint-scheduler.js';

/** The timers of the scheduler: POSTs that begin to linger, and endpoints whose rate admits their next POST or whose rest ends. */
export interface SlotTimers {
  /** Call when a POST begins. */
  posted(): void;
  /** Call when an endpoint begins to wait for its rate, or to rest. */
  limited(): void;
  stop(): void;
}

interface SlotTimerParts {
  readonly scheduler: Pick<EndpointScheduler<Job>, 'nextAgeAt' | 'nextTokenAt' | 'wake'>;
  readonly age: () => void;
  readonly now: () => number;
  readonly kick: () => void;
}

const AGE_TICK_MS = 20;
const RATE_TICK_MS = 5;

export function createSlotTimers({ scheduler, age, now, kick }: SlotTimerParts): SlotTimers {
  const ageing = createDueTimer({
    nextAt: scheduler.nextAgeAt,
    now,
    tickMs: AGE_TICK_MS,
    onDue() {
      age();
      kick();
    },
  });
  const rates = createDueTimer({
    nextAt: scheduler.nextTokenAt,
    now,
    tickMs: RATE_TICK_MS,
    onDue() {
      scheduler.wake();
      kick();
    },
  });
  return {
    posted: ageing.arm,
    limited: rates.arm,
    stop() {
      ageing.stop();
      rates.stop();
    },
  };
}
