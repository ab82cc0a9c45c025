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

/** Whether rounds keep their distance in a busy process only, or always because nothing urgent depends on them. */
export type PacedWhen = 'busy' | 'always';

/**
 * Spaces rounds of work, so that each round does more and the total cost is lower. The first one after a rest starts at once,
 * and with `busy`, in a process with room, all of them.
 *
 * @param everyMs the distance between the starts of rounds; with `busy` in a process without any room
 * @returns resolves when the next round may start
 */
export function createPacer(
  everyMs: number,
  when: PacedWhen = 'busy',
  { busy, now, pause }: PacerParts = OF_THIS_PROCESS,
): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    const distance = when === 'always' ? everyMs : everyMs * spacing(busy());
    const left = last + distance - now();
    // Timers are not more precise.
    if (left >= 1) await pause(left);
    last = now();
  };
}

/** The share of the whole distance that rounds keep. */
export function spacing(busy: number): number {
  return Math.min(1, Math.max(0, (busy - ROOM) / (FULL - ROOM)));
}
