import type { EndpointId } from '@postrider/shared/domain/id';
import { doublingPauseMs } from '@postrider/shared/runtime/doubling-pause';
import { OffsetRuns } from '../offsets/offset-runs.js';
import type { EventPlace } from './backlogs.js';

/**
 * Events that are fanned out to all endpoints but damaged ones. Only their offsets are kept. They are fanned out again to find out
 * whether the endpoint is repaired: the first one of each endpoint after growing rests, and the next ones once that succeeds.
 */
export interface IncompleteEvents {
  /** Adds an event that is new, or that was fanned out again in vain. */
  add(event: EventPlace, damaged: EndpointId): void;
  /** An event to fan out again now. */
  next(isReadable: (partition: number) => boolean): EventPlace | null;
  isAnyReady(): boolean;
  /** Returns whether an event is to be fanned out again now. It is until it is added again or removed. */
  take(event: EventPlace): boolean;
  /** Removes an event that is fanned out, or not to be fanned out again. @returns false if it is none of these */
  remove(event: EventPlace): boolean;
  /** The number of runs of events of a partition. */
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
interface Queue {
  readonly partition: number;
  readonly key: string;
  readonly damaged: EndpointId;
  readonly offsets: OffsetRuns;
  /** The event that is being fanned out again. */
  taken: number | null;
  isResting: boolean;
  /** How often in a row its first event was fanned out in vain. */
  failures: number;
  /** Since when its first event has been the first, or when it was last fanned out. */
  sinceMs: number;
}

const REST = { firstMs: 500, longestMs: 30_000 };

export function createIncompleteEvents({
  onReady,
  sleep,
  monotonicMs,
}: IncompleteEventsParts): IncompleteEvents {
  const queues = new Set<Queue>();
  const isReady = (queue: Queue) => queue.taken === null && !queue.isResting;
  const rest = (queue: Queue) => {
    queue.failures += 1;
    queue.isResting = true;
    void sleep(doublingPauseMs(queue.failures, REST)).then(() => {
      queue.isResting = false;
      onReady();
    });
  };
  const find = (is: (queue: Queue) => boolean): Queue | null => {
    for (const queue of queues) if (is(queue)) return queue;
    return null;
  };
  const removeFrom = (queue: Queue, offset: number): boolean => {
    if (!queue.offsets.delete(offset)) return false;
    if (queue.taken === offset) Object.assign(queue, { taken: null, failures: 0, sinceMs: monotonicMs() });
    if (queue.offsets.size === 0) queues.delete(queue);
    return true;
  };
  const remove = ({ partition, offset }: EventPlace) =>
    find((queue) => queue.partition === partition && removeFrom(queue, offset)) !== null;

  return {
    add({ partition, key, offset }, damaged) {
      const again = find((queue) => queue.partition === partition && queue.taken === offset);
      if (again?.damaged === damaged) {
        again.taken = null;
        return rest(again);
      }
      if (again !== null) removeFrom(again, offset);
      const isOwn = (queue: Queue) =>
        queue.partition === partition && queue.key === key && queue.damaged === damaged;
      const existing = find(isOwn);
      if (existing !== null) return existing.offsets.insert(offset);
      const offsets = new OffsetRuns();
      offsets.add(offset);
      const state = { taken: null, isResting: false, failures: 0, sinceMs: monotonicMs() };
      const created: Queue = { partition, key, damaged, offsets, ...state };
      queues.add(created);
      rest(created);
    },
    next(isReadable) {
      const queue = find((one) => isReady(one) && isReadable(one.partition));
      const offset = queue?.offsets.first() ?? null;
      if (queue === null || offset === null) return null;
      return { partition: queue.partition, key: queue.key, offset };
    },
    isAnyReady: () => find(isReady) !== null,
    take({ partition, offset }) {
      const queue = find(
        (one) => isReady(one) && one.partition === partition && one.offsets.first() === offset,
      );
      if (queue === null) return false;
      queue.taken = offset;
      return true;
    },
    remove,
    runs(partition) {
      let runs = 0;
      for (const queue of queues) if (queue.partition === partition) runs += queue.offsets.runs;
      return runs;
    },
    oldestMs: () => Math.max(0, ...[...queues].map(({ sinceMs }) => monotonicMs() - sinceMs)),
    drop(partition) {
      for (const queue of queues) if (queue.partition === partition) queues.delete(queue);
    },
  };
}
