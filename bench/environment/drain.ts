import { machineNow } from '../measure/clock.js';

export interface DrainParts {
  /** POSTs that are expected, and those received so far. */
  readonly posts: () => { readonly expected: number; readonly received: number };
  /** Whether no row is due any more. Called only once all POSTs have arrived. */
  readonly isSettled: () => Promise<boolean>;
  readonly sleep: (ms: number) => Promise<void>;
  readonly progress: (line: string) => void;
  readonly monotonicMs?: () => number;
}

const POLL_MS = 20;
const REPORT_EVERY_MS = 5_000;
/** Longer than the recovery of lost messages from their rows takes. */
const STUCK_MS = 90_000;

/** @returns when everything had arrived and was settled, by `now`; null after 90 seconds without progress */
export async function untilDrained(parts: DrainParts): Promise<number | null> {
  const { posts, isSettled, sleep, progress, monotonicMs = machineNow } = parts;
  let last = { received: -1, at: monotonicMs() };
  let reportedAt = monotonicMs();
  for (;;) {
    const { expected, received } = posts();
    if (received !== last.received) last = { received, at: monotonicMs() };
    if (received >= expected && (await isSettled())) return monotonicMs();
    if (monotonicMs() - last.at > STUCK_MS) return null;
    if (monotonicMs() - reportedAt > REPORT_EVERY_MS) {
      reportedAt = monotonicMs();
      progress(`${received} of ${expected} POSTs received`);
    }
    await sleep(POLL_MS);
  }
}
