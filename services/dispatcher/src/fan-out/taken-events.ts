import { type Neighbours, OldestFirst } from '../offsets/oldest-first.js';
import type { OpenOffsets, TrackedSource } from '../offsets/open-offsets.js';
import type { Backlogs } from './backlogs.js';
import type { MeasuredEvent } from './event-record.js';

interface NewlyTaken extends MeasuredEvent {
  /** Whether it is an incomplete event. */
  readonly isRepeated: boolean;
}

/** An event between its arrival (its second one if it was deferred) and its last message. */
export interface Taken extends NewlyTaken, Neighbours<Taken> {
  readonly source: TrackedSource;
  isOpen: boolean;
  /** Whether its offset is that of its record: a partition that restarted may have another record there. */
  hasOffset: boolean;
  /** Whether it is counted in the room: later it only waits for attempts, which have room of their own. */
  hasRoom: boolean;
}

/** The events that are taken in, until they are done or dropped. */
export interface TakenEvents {
  /** Takes in an event that is counted in the room. */
  take(source: TrackedSource, event: NewlyTaken): Taken;
  /** Gives back the room of an event that only waits for attempts. Does nothing if it no longer has any. */
  free(taken: Taken): void;
  /** Marks its offset as done and gives back its room. Does nothing if it is not open. */
  finish(taken: Taken): void;
  /** Gives back the room of an event that is taken in again later. Its offset is not done. */
  leaveOpen(taken: Taken): void;
  /** Lets the events of a partition that restarted continue without their offsets: its topic may not have them any more. */
  detach(partition: number): void;
  /** Drops the events of a partition, whose offsets are not done. */
  drop(partition: number): void;
  /** How long a partition's oldest open event has been the oldest, in milliseconds, in the partition where that is longest. */
  oldestMs(): number;
}

interface TakenEventsParts {
  readonly offsets: Pick<OpenOffsets, 'done'>;
  readonly backlogs: Pick<Backlogs, 'release'>;
  /** Called when there is more room, except after events were dropped. */
  readonly onRoom: () => void;
  /** A clock that never steps, in milliseconds. */
  readonly monotonicMs: () => number;
}

export function createTakenEvents({ offsets, backlogs, onRoom, monotonicMs }: TakenEventsParts): TakenEvents {
  const partitions = new Map<number, OldestFirst<Taken>>();
  const eventsOf = (partition: number): OldestFirst<Taken> => {
    const existing = partitions.get(partition);
    if (existing !== undefined) return existing;
    const created = new OldestFirst<Taken>(monotonicMs);
    partitions.set(partition, created);
    return created;
  };
  const release = (taken: Taken) => {
    if (taken.hasRoom) backlogs.release(taken);
    taken.hasRoom = false;
  };
  const free = (taken: Taken) => {
    if (!taken.hasRoom) return;
    release(taken);
    onRoom();
  };

  return {
    take(source, event) {
      const taken: Taken = {
        ...event,
        source,
        isOpen: true,
        hasOffset: true,
        hasRoom: true,
        older: null,
        newer: null,
      };
      eventsOf(source.partition).add(taken);
      return taken;
    },
    free,
    finish(taken) {
      if (!taken.isOpen) return;
      taken.isOpen = false;
      if (taken.hasOffset) {
        offsets.done(taken.source);
        eventsOf(taken.partition).delete(taken);
      }
      free(taken);
    },
    leaveOpen(taken) {
      taken.isOpen = false;
      eventsOf(taken.partition).delete(taken);
      free(taken);
    },
    detach(partition) {
      const events = eventsOf(partition);
      for (const taken of events) {
        taken.hasOffset = false;
        events.delete(taken);
      }
      partitions.delete(partition);
    },
    drop(partition) {
      const events = eventsOf(partition);
      for (const taken of events) {
        taken.isOpen = false;
        events.delete(taken);
        release(taken);
      }
      partitions.delete(partition);
    },
    oldestMs: () => Math.max(0, ...[...partitions.values()].map(({ oldestForMs }) => oldestForMs)),
  };
}
