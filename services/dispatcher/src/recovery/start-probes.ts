import type { Log } from '@postrider/shared/ports/log';
import { waitAtMost } from '@postrider/shared/runtime/with-timeout';
import { createHandleProbes, type HandleProbesParts } from './handle-probes.js';

interface ProbesParts extends Omit<HandleProbesParts, 'isStopped'> {
  /** Whether every process of the installation understands recovery probes. */
  readonly mayProbe: () => boolean;
  /** Rejects once the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly log: Log;
}

export interface RunningProbes {
  /** Looks for no more of them. Resolves when none are being stored, or after `withinMs`. */
  stop(withinMs: number): Promise<void>;
}

/** Number of searches for due recovery probes in one step of their schedule. */
const POLLS_PER_STEP = 10;

/** Stores recovery probes when they are due, until it is stopped. */
export function startProbes(parts: ProbesParts): RunningProbes {
  const { probeStepMs, mayProbe, sleep, random, log } = parts;
  const stopped = new AbortController();
  const handleDue = createHandleProbes({ ...parts, isStopped: () => stopped.signal.aborted });
  const run = async () => {
    while (!stopped.signal.aborted) {
      try {
        if (mayProbe()) await handleDue();
      } catch (err) {
        log.warn({ event: 'probes.failed', err }, 'due recovery probes could not be stored; trying again');
      }
      // Processes that started together do not look at the same time.
      const waitMs = (probeStepMs / POLLS_PER_STEP) * (0.75 + random() / 2);
      await sleep(waitMs, stopped.signal).catch(() => {});
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
