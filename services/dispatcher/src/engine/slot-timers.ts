import { createDueTimer } from './due-timer.js';
import type { Job } from './jobs/job.js';
import type { EndpointScheduler } from './scheduler/endpoint-scheduler.js';

/** The timers of the scheduler: POSTs that begin to linger, and endpoints whose rate admits their next POST or whose rest ends. */
export interface SlotTimers {
  /** Call when a POST begins. */
  postBegins(): void;
  /** Call when an endpoint begins to wait for its rate, or to rest. */
  paced(): void;
  stop(): void;
}

interface SlotTimerParts {
  readonly scheduler: Pick<EndpointScheduler<Job>, 'nextAgeAt' | 'nextWakeAt' | 'wake'>;
  readonly age: () => void;
  readonly monotonicMs: () => number;
  readonly kick: () => void;
}

const AGE_TICK_MS = 20;
const WAKE_TICK_MS = 5;

export function createSlotTimers({ scheduler, age, monotonicMs, kick }: SlotTimerParts): SlotTimers {
  const ageing = createDueTimer({
    nextAt: scheduler.nextAgeAt,
    timeMs: monotonicMs,
    tickMs: AGE_TICK_MS,
    onDue() {
      age();
      kick();
    },
  });
  const wakes = createDueTimer({
    nextAt: scheduler.nextWakeAt,
    timeMs: monotonicMs,
    tickMs: WAKE_TICK_MS,
    onDue() {
      scheduler.wake();
      kick();
    },
  });
  return {
    postBegins: ageing.arm,
    paced: wakes.arm,
    stop() {
      ageing.stop();
      wakes.stop();
    },
  };
}
