import { quantile } from '../measure/quantile.js';
import type { AtRate, FlatOut, Target } from './plan.js';

interface PublishDeps {
  /** Creates and publishes an event for each of these workspaces. Resolves once the broker has them. */
  readonly publish: (workspaces: readonly number[]) => Promise<void>;
  /** Milliseconds. */
  readonly monotonicMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

const TICK_MS = 1;
/** Events in one request after a stall: the broker refuses messages of more than a megabyte. */
const MAX_REQUEST = 250;

/**
 * Publishes due events every millisecond, without waiting for earlier requests. Events are dated when they are sent. The lag
 * shows how late that was, because a load that is behind its schedule measures something else.
 *
 * @returns the p99 of the lag in milliseconds
 */
export async function publishAtRate(
  { streams, seconds = Number.POSITIVE_INFINITY }: AtRate,
  { publish, isStopped, monotonicMs, sleep }: PublishDeps & { readonly isStopped: () => boolean },
): Promise<number | null> {
  const startedAt = monotonicMs();
  const sent = streams.map(() => 0);
  const lags: number[] = [];
  const requests: Promise<void>[] = [];
  const publishDue = () => {
    const elapsedMs = monotonicMs() - startedAt;
    const due = streams.flatMap(({ workspaces, perSecond }, index) => {
      const before = sent[index] ?? 0;
      const total = eventsDue(elapsedMs, perSecond, seconds);
      sent[index] = total;
      for (let nth = before; nth < total; nth += 1) lags.push(elapsedMs - (nth * 1_000) / perSecond);
      return inTurn(workspaces, before, total);
    });
    for (let from = 0; from < due.length; from += MAX_REQUEST) {
      requests.push(publish(due.slice(from, from + MAX_REQUEST)));
    }
  };
  while (monotonicMs() < startedAt + seconds * 1_000 && !isStopped()) {
    publishDue();
    await sleep(TICK_MS);
  }
  publishDue();
  await Promise.all(requests);
  return quantile(Float64Array.from(lags).sort(), 0.99);
}

/** The number of events of a stream that are due after `elapsedMs`: the first at once, the last before the end. */
export function eventsDue(elapsedMs: number, perSecond: number, seconds: number): number {
  return Math.min(Math.round(perSecond * seconds), Math.floor((elapsedMs * perSecond) / 1_000) + 1);
}

/** Events per request to the broker, and concurrent requests, as of a busy producer. A request waits until it is full. */
const BATCH = 100;
const REQUESTS = 4;
const FULL_PAUSE_MS = 2;

/**
 * @param inFlight deliveries of everything published so far that have not arrived yet
 * @param perEvent deliveries of each event
 */
export async function publishFlatOut(
  { workspaces, ...limits }: FlatOut & Target,
  deps: PublishDeps & { readonly inFlight: () => number; readonly perEvent: number },
): Promise<void> {
  const { publish, inFlight, perEvent, monotonicMs, sleep } = deps;
  const { events = Number.POSITIVE_INFINITY, seconds = Number.POSITIVE_INFINITY } = limits;
  const { window = Number.POSITIVE_INFINITY } = limits;
  const endsAt = monotonicMs() + seconds * 1_000;
  const fullBatch = Math.min(BATCH, Math.floor(window / perEvent));
  let taken = 0;
  const work = async () => {
    while (taken < events && monotonicMs() < endsAt) {
      const size = Math.min(fullBatch, events - taken);
      if (window - inFlight() < size * perEvent) await sleep(FULL_PAUSE_MS);
      else {
        taken += size;
        await publish(inTurn(workspaces, taken - size, taken));
      }
    }
  };
  await Promise.all(Array.from({ length: REQUESTS }, work));
}

/** The workspaces of the events with these numbers. */
function inTurn(workspaces: readonly number[], from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, nth) => workspaces[(from + nth) % workspaces.length] ?? 0);
}
