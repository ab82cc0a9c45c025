import type { EndpointId } from '@postrider/shared/domain/id';
import { doublingPauseMs } from '@postrider/shared/runtime/doubling-pause';
import { OffsetSet } from '../offsets/offset-set.js';
import type { EventPlace, WorkspaceInPartition } from './backlogs.js';

/**
 * Events that are fanned out to all endpoints but damaged ones. Only their offsets are kept. They are fanned out again to find out
 * whether the endpoint is repaired: the first one of each endpoint after growing rests, and any number of the next ones once that
 * succeeds. There may be very many endpoints, so nothing but `oldestMs`, `drop` and `next` looks at each of them.
 */
export interface IncompleteEvents {
  /** Adds an event that is new, or that was fanned out again in vain. */
  add(event: EventPlace, damaged: EndpointId): void;
  /** An event to read and fan out again now, together with those behind it. */
  next(isReadable: (workspace: WorkspaceInPartition) => boolean): EventPlace | null;
  isAnyReady(): boolean;
  /** Returns whether an event is to be fanned out again now. It is until it is added again or removed. */
  take(event: EventPlace): boolean;
  /**
   * Removes an event that is fanned out, or not to be fanned out again.
   *
   * @returns false if it is neither being fanned out again nor the next one to be
   */
  remove(event: EventPlace): boolean;
  /** The memory that the offsets of a partition's events that are not being fanned out again take, in runs. */
  runs(partition: number): number;
  /** How long the same event has been the first one of its endpoint, in milliseconds, of the endpoint where that is longest. */
  oldestMs(): number;
  /** Forgets the events of a partition. */
  drop(partition: number): void;
}

interface IncompleteEventsParts {
  /** Called when an event is to be fanned out again. */
  readonly onReady: () => void;
  readonly sleep: (ms: number) => Promise<void>;
  /** A clock that never steps, in milliseconds. */
  readonly monotonicMs: () => number;
}

/** The events of a partition with the same key and damaged endpoint. */
interface Queue extends WorkspaceInPartition {
  readonly damaged: EndpointId;
  /** Those that are not being fanned out again. */
  readonly waiting: OffsetSet;
  /** The number of those that are being fanned out again. */
  taken: number;
  isResting: boolean;
  /** How often in a row an event was fanned out in vain. */
  failures: number;
  /** Since when its first event has been the first, or when one was last fanned out. */
  sinceMs: number;
}

const REST = { firstMs: 500, longestMs: 30_000 };

export function createIncompleteEvents({
  onReady,
  sleep,
  monotonicMs,
}: IncompleteEventsParts): IncompleteEvents {
  const queues = new Map<string, Queue>();
  /** The queues whose first waiting event may be fanned out again now, by its place. */
  const ready = new Map<string, Queue>();
  /** The queues of the events that are being fanned out again, by their places. */
  const taken = new Map<string, Queue>();
  const runsOf = new Map<number, number>();

  const change = (queue: Queue, to: () => void) => {
    const before = readyPlaceOf(queue);
    const runs = (runsOf.get(queue.partition) ?? 0) - queue.waiting.runs;
    to();
    runsOf.set(queue.partition, runs + queue.waiting.runs);
    const place = readyPlaceOf(queue);
    if (before !== null && before !== place) ready.delete(before);
    if (place !== null) ready.set(place, queue);
    if (queue.waiting.size + queue.taken === 0) queues.delete(keyOf(queue));
  };
  const rest = (queue: Queue) => {
    queue.failures += 1;
    queue.isResting = true;
    void sleep(doublingPauseMs(queue.failures, REST)).then(() => {
      if (queues.get(keyOf(queue)) !== queue) return;
      change(queue, () => {
        queue.isResting = false;
      });
      onReady();
    });
  };
  const queueOf = (place: EventPlace, damaged: EndpointId): Queue => {
    const { partition, key } = place;
    const existing = queues.get(keyOf({ partition, key, damaged }));
    if (existing !== undefined) return existing;
    const state = { taken: 0, isResting: false, failures: 0, sinceMs: monotonicMs() };
    const created: Queue = { partition, key, damaged, waiting: new OffsetSet(), ...state };
    queues.set(keyOf(created), created);
    rest(created);
    return created;
  };
  /** An event is fanned out to the endpoint. */
  const succeed = (queue: Queue) => {
    queue.taken -= 1;
    queue.sinceMs = monotonicMs();
    // Events that were taken together may end after one of them has failed.
    if (!queue.isResting) queue.failures = 0;
  };

  return {
    add(event, damaged) {
      const again = taken.get(placeOf(event));
      taken.delete(placeOf(event));
      if (again?.damaged === damaged)
        return change(again, () => {
          again.taken -= 1;
          again.waiting.insert(event.offset);
          if (!again.isResting) rest(again);
        });
      if (again !== undefined) change(again, () => succeed(again));
      const queue = queueOf(event, damaged);
      change(queue, () => queue.waiting.insert(event.offset));
    },
    next(isReadable) {
      for (const queue of ready.values()) {
        const { partition, key, waiting } = queue;
        const offset = waiting.first();
        // A read while others of its events are fanned out would bring few of them, one for each that ends.
        if (offset === null || queue.taken > 0 || !isReadable(queue)) continue;
        return { partition, key, offset };
      }
      return null;
    },
    isAnyReady: () => ready.size > 0,
    take(event) {
      const queue = ready.get(placeOf(event));
      if (queue === undefined || queue.key !== event.key) return false;
      change(queue, () => {
        queue.waiting.delete(event.offset);
        queue.taken += 1;
      });
      taken.set(placeOf(event), queue);
      return true;
    },
    remove(event) {
      const fannedOut = taken.get(placeOf(event));
      const queue = fannedOut ?? ready.get(placeOf(event));
      if (queue === undefined) return false;
      change(queue, () => {
        if (fannedOut === undefined) queue.waiting.delete(event.offset);
        else succeed(queue);
      });
      taken.delete(placeOf(event));
      return true;
    },
    runs: (partition) => runsOf.get(partition) ?? 0,
    oldestMs() {
      const now = monotonicMs();
      let sinceMs = now;
      for (const queue of queues.values()) sinceMs = Math.min(sinceMs, queue.sinceMs);
      return now - sinceMs;
    },
    drop(partition) {
      runsOf.delete(partition);
      for (const some of [queues, ready, taken])
        for (const [key, queue] of some) if (queue.partition === partition) some.delete(key);
    },
  };
}

/** The place of its first waiting event, null if that is not to be fanned out again now. Several at a time are after a success. */
function readyPlaceOf({ partition, waiting, taken, isResting, failures }: Queue): string | null {
  const offset = waiting.first();
  if (offset === null || isResting || (taken > 0 && failures > 0)) return null;
  return placeOf({ partition, offset });
}

function placeOf({ partition, offset }: Pick<EventPlace, 'partition' | 'offset'>): string {
  return `${partition}/${offset}`;
}

function keyOf({ partition, key, damaged }: Pick<Queue, 'partition' | 'key' | 'damaged'>): string {
  return `${partition}/${damaged}/${key}`;
}
