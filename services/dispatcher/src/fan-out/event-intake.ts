import type { EndpointId } from '@postrider/shared/domain/id';
import type { Log } from '@postrider/shared/ports/log';
import { createLogThrottle } from '@postrider/shared/runtime/log-throttle';
import { retry } from '@postrider/shared/runtime/retry';
import type { TurnLimit } from '@postrider/shared/runtime/turns';
import { createEntriesWithoutKeys } from '../offsets/open-entries.js';
import {
  createOpenOffsets,
  type OpenOffsets,
  type Source,
  type TopicPartition,
  type TrackedSource,
} from '../offsets/open-offsets.js';
import { createTrackNew } from '../offsets/track-new.js';
import { createBacklogs, type OpenLimits } from './backlogs.js';
import { createDeferredReads } from './deferred-reads.js';
import {
  type EventRecord,
  type MeasuredEvent,
  measure,
  type StartsLater,
  sourceOf,
  workspaceOf,
} from './event-record.js';
import type { FanOut } from './fan-out.js';
import { createIncompleteEvents } from './incomplete-events.js';
import { nextInTurn } from './next-in-turn.js';
import type { NewEvent } from './open-event.js';
import type { Problem, ReadEvent } from './read-event.js';
import { createTakenEvents, type Taken } from './taken-events.js';

/** The limits of this process. Workspaces share the room for open events. */
export interface EventIntakeLimits extends OpenLimits {
  /** Maximum memory for deferred and incomplete events, in runs of offsets. A partition is paused at its share of it. */
  readonly deferredRuns: number;
}

/**
 * Takes in events without waiting for their fan-out. Each is committed once it and all before it are fanned out. Events of a
 * workspace that has used up its share of the room are deferred, so that events of others behind them are taken in. An event for a
 * damaged endpoint is incomplete once its other deliveries are stored, and is fanned out again later.
 */
export interface EventIntake<Received>
  extends Pick<OpenOffsets, 'positions' | 'committed' | 'onMoved' | 'positionLost'> {
  accept(record: Received): void;
  /** Sets the assigned partitions. Open events of other partitions are dropped. */
  assign(partitions: readonly number[]): void;
  /** Returns the partitions not to fetch now. They pause at their share of deferred runs and resume somewhat below it. */
  updatePauses(): readonly TopicPartition[];
  figures(): EventIntakeFigures;
  /** Stops reading accepted events. */
  stop(): void;
}

export interface EventIntakeFigures {
  readonly open: number;
  readonly pausedPartitions: number;
  /**
   * How long the oldest open event of a partition has been open, in milliseconds, in the partition where that is longest; 0
   * without open events. It counts from when all events before it were done: otherwise it would show the length of a backlog
   * that is being worked off. Deferred events do not count, incomplete ones do.
   */
  readonly oldestMs: number;
}

interface EventIntakeParts<Received> {
  /** Rejects while an event cannot be read for a reason other than its content. */
  readonly read: (record: Received) => Promise<Read>;
  readonly quarantine: (record: Received, reason: string) => Promise<void>;
  /** Copies a record, so that the response of its fetch can be freed. */
  readonly copy: (record: Received) => Received;
  /**
   * Reads records of a partition again, starting with the given one. The first result is another record if that one is no
   * longer stored. Rejects while the partition cannot be read.
   */
  readonly readAgain: (from: Source) => Promise<readonly Received[] | StartsLater>;
  readonly fanOut: Pick<FanOut, 'add' | 'removeUnwanted'>;
  readonly limits: EventIntakeLimits;
  /** Splits reading into turns of the event loop. Most events are read without waiting for a server. */
  readonly turn: TurnLimit;
  readonly sleep: (ms: number) => Promise<void>;
  /** A clock that never steps, in milliseconds. */
  readonly monotonicMs: () => number;
  readonly log: Log;
}

/** An event, or why it is invalid; or either of them later, if its type is not known yet. */
export type Read = ReadEvent | Problem | { readonly later: () => Promise<ReadEvent | Problem> };

interface Partition extends TopicPartition {
  /** That of its tracked offsets. */
  readonly epoch: number;
  isPaused: boolean;
  /** Events are read one after the other, so that they are fanned out in order. */
  reading: Promise<void>;
}

const UNREAD = 'an event could not be read';
const UNREAD_LATER = 'an event that a newer catalogue may define could not be read';
const NOT_QUARANTINED = 'an unreadable event could not be put into quarantine';
/** One line in this time for each partition, in milliseconds, about failures that its events may have by the thousand at once. */
const LOG_EVERY_MS = 10_000;
const MAX_LOGGED = 1_000;
/** A partition resumes so many runs below its share, or at half of it: the others in it do not wait until half of a backlog is done. */
const RESUMED_BELOW = 500;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;

export function createEventIntake<Received extends EventRecord>(
  parts: EventIntakeParts<Received>,
): EventIntake<Received> {
  const { fanOut, limits, turn, log } = parts;
  const offsets = createOpenOffsets(createEntriesWithoutKeys);
  const backlogs = createBacklogs(limits);
  const events = createTakenEvents({
    offsets,
    backlogs,
    onRoom: () => readDeferred(),
    monotonicMs: parts.monotonicMs,
  });
  const incompleteEvents = createIncompleteEvents({ ...parts, onReady: () => readDeferred() });
  const partitions = new Map<number, Partition>();
  const mayLog = createLogThrottle({ ...parts, everyMs: LOG_EVERY_MS, maxKeys: MAX_LOGGED });
  let isStopping = false;
  const partitionOf = ({ topic, partition, epoch }: TrackedSource): Partition => {
    const existing = partitions.get(partition);
    if (existing !== undefined) return existing;
    const created = { topic, partition, epoch, isPaused: false, reading: Promise.resolve() };
    partitions.set(partition, created);
    return created;
  };
  const forget = (partition: number) => {
    backlogs.drop(partition);
    incompleteEvents.drop(partition);
    partitions.delete(partition);
  };
  const drop = (partition: number) => {
    events.drop(partition);
    forget(partition);
  };
  const detach = ({ partition }: Source) => {
    events.detach(partition);
    forget(partition);
  };
  const finish = (taken: Taken) => {
    const wasIncomplete =
      taken.isRepeated && taken.isOpen && taken.hasOffset && incompleteEvents.remove(taken);
    events.finish(taken);
    if (wasIncomplete) readDeferred();
  };
  const keepIncomplete = (taken: Taken, damaged: EndpointId) => {
    if (!taken.isOpen) return;
    if (!taken.hasOffset) {
      log.error(
        { event: 'event.lost', ...taken.source },
        'an endpoint is damaged, and the event topic was recreated: publish the event again once the endpoint is repaired',
      );
      return events.finish(taken);
    }
    incompleteEvents.add(taken, damaged);
    events.leaveOpen(taken);
    readDeferred();
  };
  const trackNew = createTrackNew({ offsets, onReset: detach, log });
  /** Creates closures outside the record's scope: they would keep it, and with it the whole fetch, until the event is done. */
  const asNew = (taken: Taken, event: ReadEvent): NewEvent => ({
    event,
    bytes: taken.valueBytes,
    isRepeated: taken.isRepeated,
    queued: () => events.free(taken),
    done: () => finish(taken),
    incomplete: (damaged) => keepIncomplete(taken, damaged),
    isWanted: () => taken.isOpen,
  });
  /** @returns null if the event was dropped in the meantime */
  const persist = <T>(taken: Taken, what: string, task: () => Promise<T>): Promise<T | null> =>
    retry<T | null>(async () => (taken.isOpen && !isStopping ? task() : null), {
      firstPauseMs: FIRST_PAUSE_MS,
      longestPauseMs: LONGEST_PAUSE_MS,
      onFailure(err, _, pauseMs) {
        // One event of a partition is read at a time, and it is the one that the others wait for.
        if (what !== UNREAD && !mayLog(`${what} ${taken.partition}`)) return;
        log.warn({ event: 'event.failed', ...taken.source, err }, `${what}; trying again in ${pauseMs} ms`);
      },
      sleep: parts.sleep,
    });
  const quarantine = async (record: Received, taken: Taken, problem: string) => {
    const put = () => parts.quarantine(record, problem).then(() => true);
    const isPut = await persist(taken, NOT_QUARANTINED, put);
    if (isPut) finish(taken);
  };
  const pass = (record: Received, taken: Taken, event: ReadEvent | Problem | null) => {
    if (event === null || !taken.isOpen) return;
    if ('problem' in event) void quarantine(record, taken, event.problem);
    else fanOut.add(asNew(taken, event));
  };
  /** @param record a copy, because it may wait for a minute */
  const readLater = async (record: Received, taken: Taken): Promise<void> => {
    const event = await persist(taken, UNREAD_LATER, async () => {
      const read = await parts.read(record);
      return 'later' in read ? read.later() : read;
    });
    pass(record, taken, event);
  };
  const readAndPass = async (record: Received, taken: Taken): Promise<void> => {
    if (turn.isOver()) await turn.wait();
    const event = await persist(taken, UNREAD, () => parts.read(record));
    // The partition continues meanwhile.
    if (event !== null && 'later' in event) void readLater(parts.copy(record), taken);
    else pass(record, taken, event);
  };
  const take = (record: Received, event: MeasuredEvent & Pick<Taken, 'isRepeated'>, at: Partition) => {
    const taken = events.take({ ...sourceOf(record), epoch: at.epoch }, event);
    at.reading = at.reading.then(() => readAndPass(record, taken));
  };
  const readDeferred = createDeferredReads({
    next: nextInTurn(
      (isReadable) =>
        incompleteEvents.next((workspace) => isReadable(workspace.partition) && backlogs.hasRoom(workspace)),
      backlogs.next,
    ),
    isAnyWaiting: () => incompleteEvents.isAnyReady() || backlogs.anyDeferred(),
    removeBefore: (place, offset) =>
      incompleteEvents.remove(place) ? [place.offset] : backlogs.removeDeferred(place, offset),
    topicOf: (partition) => partitions.get(partition)?.topic ?? null,
    async readAgain(from) {
      const at = partitions.get(from.partition);
      const read = await parts.readAgain(from);
      // The partition restarted, or is another process's: its deferred events are not those of these records any more.
      if (at === undefined || partitions.get(from.partition) !== at) return { missingBefore: null, taken: 1 };
      if ('start' in read) return { missingBefore: read.start, taken: 1 };
      const [first] = read;
      const isStored = first?.offset === from.offset;
      // Until the consumer reports its lost position, a recreated topic may have others in the places of deferred events.
      if (isStored && workspaceOf(first).key !== from.key)
        throw new Error('another event is stored at this offset: the topic was recreated');
      let taken = 0;
      for (const record of read) {
        const event = measure(record);
        const isRepeated =
          incompleteEvents.isAnyReady() && backlogs.hasRoom(event) && incompleteEvents.take(event);
        if (isRepeated) backlogs.takeAgain(event);
        else if (!backlogs.takeDeferred(event)) continue;
        take(record, { ...event, isRepeated }, at);
        taken += 1;
      }
      const missingBefore = isStored ? null : Math.max(first?.offset ?? 0, from.offset + 1);
      return { missingBefore, taken: taken / Math.max(read.length, 1) };
    },
    isRoomy: backlogs.isRoomy,
    lost(source) {
      const at = partitions.get(source.partition);
      if (at !== undefined) offsets.done({ ...source, epoch: at.epoch });
    },
    isStopping: () => isStopping,
    sleep: parts.sleep,
    log,
  });

  return {
    positions: offsets.positions,
    committed: offsets.committed,
    onMoved: offsets.onMoved,
    positionLost: offsets.positionLost,
    accept(record) {
      const source = trackNew(sourceOf(record), null);
      if (source === null) return;
      const at = partitionOf(source);
      const event = measure(record);
      if (backlogs.take(event)) take(record, { ...event, isRepeated: false }, at);
    },
    assign(indices) {
      offsets.assign(indices);
      for (const partition of [...partitions.keys()]) if (!offsets.isAssigned(partition)) drop(partition);
      fanOut.removeUnwanted();
      readDeferred();
    },
    updatePauses() {
      const share = limits.deferredRuns / Math.max(offsets.assigned().length, 1);
      const resumeAt = share - Math.min(share / 2, RESUMED_BELOW);
      for (const at of partitions.values())
        at.isPaused =
          backlogs.deferredRuns(at.partition) + incompleteEvents.runs(at.partition) >
          (at.isPaused ? resumeAt : share);
      return [...partitions.values()]
        .filter(({ isPaused }) => isPaused)
        .map(({ topic, partition }) => ({ topic, partition }));
    },
    figures() {
      return {
        open: offsets.open().reduce((sum, { open }) => sum + open, 0),
        pausedPartitions: [...partitions.values()].filter(({ isPaused }) => isPaused).length,
        oldestMs: Math.max(events.oldestMs(), incompleteEvents.oldestMs()),
      };
    },
    stop() {
      isStopping = true;
    },
  };
}
