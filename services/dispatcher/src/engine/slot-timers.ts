import { createDueTimer } from './due-timer.js';
import type { Job } from './job.js';
import type { EndpointScheduler } from './scheduler/endpoint-scheduler.js';

/** The timers of the scheduler: POSTs that begin to linger, and endpoints whose rate admits their next POST or whose rest ends. */
export interface SlotTimers {
  /** Call when a POST begins. */
  posted(): void;
  /** Call when an endpoint begins to wait for its rate, or to rest. */
  paced(): void;
  stop(): void;
}

interface SlotTimerParts {
  readonly scheduler: Pick<EndpointScheduler<Job>, 'nextAgeAt' | 'nextWakeAt' | 'wake'>;
  readonly age: () => void;
  readonly now: () => number;
  readonly kick: () => void;
}

const AGE_TICK_MS = 20;
const WAKE_TICK_MS = 5;

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
  const wakes = createDueTimer({
    nextAt: scheduler.nextWakeAt,
    now,
    tickMs: WAKE_TICK_MS,
    onDue() {
      scheduler.wake();
      kick();
    },
  });
  return {
    posted: ageing.arm,
    paced: wakes.arm,
    stop() {
      ageing.stop();
      wakes.stop();
    },
  };
}
