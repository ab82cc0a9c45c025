import type { FlatOut } from './plan.js';

export interface FlatOutParts {
  /** Makes and publishes events for these workspaces; resolves once the broker has them. */
  readonly publish: (workspaces: readonly number[]) => Promise<void>;
  /** Deliveries of everything published so far that have not arrived yet. */
  readonly outstanding: (perEvent: number) => number;
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

/** Events in one request to the broker, and requests under way: what a busy producer does. A request waits to be full. */
const BATCH = 100;
const REQUESTS = 4;
const FULL_PAUSE_MS = 2;

/** @returns how many events were published */
export async function publishFlatOut(plan: FlatOut, parts: FlatOutParts): Promise<number> {
  const { workspaces, events, seconds, window } = plan;
  const endsAt = seconds === null ? Number.POSITIVE_INFINITY : parts.now() + seconds * 1_000;
  const goal = events ?? Number.POSITIVE_INFINITY;
  let taken = 0;
  const room = () => {
    if (window === null) return BATCH;
    return Math.floor((window.deliveries - parts.outstanding(window.perEvent)) / window.perEvent);
  };
  const fullBatch =
    window === null ? BATCH : Math.min(BATCH, Math.floor(window.deliveries / window.perEvent));
  const takeBatch = (): number[] => {
    const wanted = Math.min(fullBatch, goal - taken);
    const size = room() < wanted ? 0 : wanted;
    return Array.from({ length: size }, () => {
      const workspace = workspaces[taken % workspaces.length] ?? 0;
      taken += 1;
      return workspace;
    });
  };
  const work = async () => {
    while (taken < goal && parts.now() < endsAt) {
      const batch = takeBatch();
      if (batch.length === 0) await parts.pause(FULL_PAUSE_MS);
      else await parts.publish(batch);
    }
  };
  await Promise.all(Array.from({ length: REQUESTS }, work));
  return taken;
}
