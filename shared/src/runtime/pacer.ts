import { setTimeout as sleep } from 'node:timers/promises';
import { busyShare } from './busy-share.js';

/** Up to this share of busy time rounds start at once; from the second one on they keep their whole distance. */
const ROOM = 0.5;
const FULL = 0.9;

interface PacerParts {
  /** How busy the process is, 0 to 1. */
  readonly busy: () => number;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
}

const OF_THIS_PROCESS: PacerParts = {
  busy: busyShare,
  now: () => performance.now(),
  pause: (ms) => sleep(ms),
};

/**
 * Spaces rounds of work, so that in a busy process each round does more and the total cost is lower. In a process with room
 * it adds nothing: rounds start at once.
 *
 * @param everyMs the distance between the starts of rounds in a process without any room
 * @returns resolves when the next round may start
 */
export function createPacer(
  everyMs: number,
  { busy, now, pause }: PacerParts = OF_THIS_PROCESS,
): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    const left = last + everyMs * spacing(busy()) - now();
    // Timers are not more precise.
    if (left >= 1) await pause(left);
    last = now();
  };
}

/** The share of the whole distance that rounds keep. */
export function spacing(busy: number): number {
  return Math.min(1, Math.max(0, (busy - ROOM) / (FULL - ROOM)));
}
