import { machineNow } from '../measure/clock.js';

export interface DrainParts {
  /** POSTs that are promised, and those that came so far. */
  readonly posts: () => { readonly promised: number; readonly came: number };
  /** Is no row left on which work is due? Asked only once all POSTs have come. */
  readonly settled: () => Promise<boolean>;
  readonly pause: (ms: number) => Promise<void>;
  readonly progress: (line: string) => void;
  readonly now?: () => number;
}

const POLL_MS = 20;
const TELL_EVERY_MS = 5_000;
/** Longer than lost messages need to come back through their rows. */
const STUCK_MS = 90_000;

/** @returns when everything had come and was settled, by `now`; null when nothing has moved for a minute and a half */
export async function untilDrained(parts: DrainParts): Promise<number | null> {
  const { posts, settled, pause, progress, now = machineNow } = parts;
  let last = { came: -1, at: now() };
  let toldAt = now();
  for (;;) {
    const { promised, came } = posts();
    if (came !== last.came) last = { came, at: now() };
    if (came >= promised && (await settled())) return now();
    if (now() - last.at > STUCK_MS) return null;
    if (now() - toldAt > TELL_EVERY_MS) {
      toldAt = now();
      progress(`${came} of ${promised} POSTs have come`);
    }
    await pause(POLL_MS);
  }
}
