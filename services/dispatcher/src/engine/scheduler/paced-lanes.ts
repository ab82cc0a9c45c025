import { createDelayHeap } from './delay-heap.js';
import type { Lane } from './lane.js';
import { dueAt, tokensOf } from './rate.js';

/** Endpoints whose rate does not admit another POST now, and those that rest. */
export interface PacedLanes<Job> {
  /** Whether a lane is not resting and its rate admits another POST, in addition to those chosen that have not begun. */
  admits(lane: Lane<Job>): boolean;
  /** Remembers a lane until it may have another POST. */
  wait(lane: Lane<Job>): void;
  /** Removes and returns a lane that has waited long enough; null if there is none. */
  next(): Lane<Job> | null;
  /** When the next lane has waited long enough, in milliseconds; null if none waits. */
  nextAt(): number | null;
}

/** @param onPaced called when a lane begins to wait */
export function createPacedLanes<Job>(monotonicMs: () => number, onPaced: () => void): PacedLanes<Job> {
  const waiting = createDelayHeap<Lane<Job>>();
  return {
    admits({ known: { rate, restsUntil }, chosen }) {
      return restsUntil <= monotonicMs() && (rate === null || tokensOf(rate, monotonicMs()) >= chosen + 1);
    },
    wait(lane) {
      const { rate, restsUntil } = lane.known;
      const due = Math.max(
        restsUntil,
        rate === null ? monotonicMs() : dueAt(rate, lane.chosen + 1, monotonicMs()),
      );
      if (lane.wakeAt !== null && lane.wakeAt <= due) return;
      lane.wakeAt = due;
      waiting.add(lane, due);
      onPaced();
    },
    next() {
      const lane = waiting.pop(monotonicMs());
      if (lane !== null) lane.wakeAt = null;
      return lane;
    },
    nextAt: waiting.nextDue,
  };
}
