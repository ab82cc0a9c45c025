import { quantile } from '../measure/quantile.js';
import type { AtRate, FlatOut } from './plan.js';

interface PublishDeps {
  /** Creates and publishes events for these workspaces. Resolves once the broker has them. */
  readonly publish: (workspaces: readonly number[]) => Promise<void>;
  /** Milliseconds. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

const TICK_MS = 1;

/**
 * Publishes every millisecond what is due, without waiting for earlier requests. Events are dated when they are sent;
 * the lag shows how late that was, because a load that is behind its schedule measures something else.
 */
export async function publishAtRate(
  { streams, seconds }: AtRate,
  { publish, isStopped, now, pause }: PublishDeps & { readonly isStopped: () => boolean },
): Promise<{ events: number; lagP99Ms: number | null }> {
  const startedAt = now();
  const sent = streams.map(() => 0);
  const lags: number[] = [];
  const requests: Promise<void>[] = [];
  const publishDue = () => {
    const elapsedMs = now() - startedAt;
    const due = streams.flatMap(({ workspaces, perSecond }, index) => {
      const before = sent[index] ?? 0;
      const total = eventsDue(elapsedMs, { perSecond, seconds });
      sent[index] = total;
      return Array.from({ length: total - before }, (_, nth) => {
        lags.push(elapsedMs - ((before + nth) * 1_000) / perSecond);
        return workspaces[(before + nth) % workspaces.length] ?? 0;
      });
    });
    if (due.length > 0) requests.push(publish(due));
  };
  const endsAt = seconds === null ? Number.POSITIVE_INFINITY : startedAt + seconds * 1_000;
  while (now() < endsAt && !isStopped()) {
    publishDue();
    await pause(TICK_MS);
  }
  publishDue();
  await Promise.all(requests);
  return { events: lags.length, lagP99Ms: quantile(Float64Array.from(lags).sort(), 0.99) };
}

/** How many events of a stream are due after `elapsedMs`: the first at once, the last before the time is up. */
export function eventsDue(elapsedMs: number, stream: { perSecond: number; seconds: number | null }): number {
  const { perSecond, seconds } = stream;
  const all = seconds === null ? Number.POSITIVE_INFINITY : Math.round(perSecond * seconds);
  return Math.min(all, Math.floor((elapsedMs * perSecond) / 1_000) + 1);
}

/** Events in one request to the broker, and concurrent requests, as of a busy producer. A request waits until it is full. */
const BATCH = 100;
const REQUESTS = 4;
const FULL_PAUSE_MS = 2;

/**
 * @param inFlight deliveries of everything published so far that have not arrived yet
 * @returns how many events were published
 */
export async function publishFlatOut(
  { workspaces, events, seconds, window }: FlatOut,
  { publish, inFlight, now, pause }: PublishDeps & { readonly inFlight: (perEvent: number) => number },
): Promise<number> {
  const endsAt = seconds === null ? Number.POSITIVE_INFINITY : now() + seconds * 1_000;
  const limit = events ?? Number.POSITIVE_INFINITY;
  const room = () =>
    window === null ? BATCH : Math.floor((window.deliveries - inFlight(window.perEvent)) / window.perEvent);
  const fullBatch =
    window === null ? BATCH : Math.min(BATCH, Math.floor(window.deliveries / window.perEvent));
  let taken = 0;
  const work = async () => {
    while (taken < limit && now() < endsAt) {
      const size = Math.min(fullBatch, limit - taken);
      if (room() < size) {
        await pause(FULL_PAUSE_MS);
        continue;
      }
      const first = taken;
      taken += size;
      await publish(
        Array.from({ length: size }, (_, nth) => workspaces[(first + nth) % workspaces.length] ?? 0),
      );
    }
  };
  await Promise.all(Array.from({ length: REQUESTS }, work));
  return taken;
}
