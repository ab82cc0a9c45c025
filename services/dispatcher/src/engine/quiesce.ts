import { waitAtMost } from '@postrider/shared/runtime/with-timeout';
import type { SendingGuard } from '../ports/guard.js';
import type { Feeder } from './backlog/feeder.js';
import type { Pump } from './sending/pump.js';
import type { Settler } from './settling/settler.js';

interface QuiesceParts {
  readonly pump: Pick<Pump, 'stop' | 'running'>;
  readonly feeder: Pick<Feeder, 'stop'>;
  readonly settler: Pick<Settler, 'unsettled'>;
  /** Settled deliveries that are being passed on. */
  readonly passing: () => number;
  readonly guard: Pick<SendingGuard, 'refresh' | 'decideNow'>;
  readonly monotonicMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

const CHECK_MS = 20;

/** Stops the engine's work: no more attempts start, and those that have started are sent, settled and passed on. */
export function createQuiesce(parts: QuiesceParts): (withinMs: number) => Promise<void> {
  const { pump, feeder, settler, passing, guard, monotonicMs, sleep } = parts;
  const isBusy = () => {
    // A withheld failure would never be settled.
    guard.decideNow(() => true);
    return pump.running() + settler.unsettled() + passing() > 0;
  };
  return async (withinMs) => {
    pump.stop();
    feeder.stop();
    const until = monotonicMs() + withinMs;
    await waitAtMost(guard.refresh(), withinMs);
    while (isBusy() && monotonicMs() < until) await sleep(CHECK_MS);
  };
}
