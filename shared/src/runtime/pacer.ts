import { busyShare } from './busy-share.js';
import { sleep } from './sleep.js';

/**
 * When rounds are spaced: always, because nothing urgent depends on them; in a busy process; or early, in one that is busy
 * for a third of its time, because a round costs much even if it does little.
 */
export type PacedWhen = 'busy' | 'early' | 'always';

/** Up to this share of busy time, rounds start at once. */
const ROOM = { busy: 0.5, early: 0.35 } as const;
/** With this much more busy time, rounds keep their whole distance. */
const RANGE = 0.4;

interface PacerParts {
  /** How busy the process is, 0 to 1. */
  readonly busy: () => number;
  readonly monotonicMs: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

const OF_THIS_PROCESS: PacerParts = {
  busy: busyShare,
  monotonicMs: () => performance.now(),
  sleep,
};

/**
 * Spaces rounds of work, so that each round does more and the total cost is lower. The first round after a rest starts at
 * once, and so do all rounds in a process with room, unless they are always spaced.
 *
 * @param everyMs the distance between the starts of rounds; if it depends on the load, that of a process without any room
 * @returns resolves when the next round may start
 */
export function createPacer(
  everyMs: number,
  when: PacedWhen = 'busy',
  { busy, monotonicMs, sleep }: PacerParts = OF_THIS_PROCESS,
): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    const left = last + everyMs * spacing(when, busy()) - monotonicMs();
    // Timers are not more precise.
    if (left >= 1) await sleep(left);
    last = monotonicMs();
  };
}

/** The share of the whole distance that rounds keep. */
export function spacing(when: PacedWhen, busy: number): number {
  if (when === 'always') return 1;
  return Math.min(1, Math.max(0, (busy - ROOM[when]) / RANGE));
}
