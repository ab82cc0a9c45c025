import { setTimeout as sleep } from 'node:timers/promises';
import { busyShare } from './busy-share.js';

/** When rounds keep a distance: in a busy process, or always, because nothing urgent depends on them. */
export type PacedWhen = 'busy' | 'always';

/** Up to this share of busy time rounds start at once. */
const ROOM = 0.5;
/** So much more, and they keep their whole distance. */
const RANGE = 0.4;

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
 * Spaces rounds of work, so that each round does more and the total cost is lower. The first one after a rest starts at once,
 * and in a process with room all of them, unless their distance is kept always.
 *
 * @param everyMs the distance between the starts of rounds, in a process without any room if it depends on that
 * @returns resolves when the next round may start
 */
export function createPacer(
  everyMs: number,
  when: PacedWhen = 'busy',
  { busy, now, pause }: PacerParts = OF_THIS_PROCESS,
): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    const left = last + everyMs * (when === 'always' ? 1 : spacing(busy())) - now();
    // Timers are not more precise.
    if (left >= 1) await pause(left);
    last = now();
  };
}

/** The share of the whole distance that rounds keep in a process that is busy for this share of its time. */
export function spacing(busy: number): number {
  return Math.min(1, Math.max(0, (busy - ROOM) / RANGE));
}
