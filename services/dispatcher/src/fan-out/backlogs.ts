import { OffsetSet } from '../offsets/offset-set.js';

export interface WorkspaceInPartition {
  readonly partition: number;
  /** The key of its records: the workspace, unless their producer chose another one. */
  readonly key: string;
}

/** An accepted event, by its place. */
export interface EventPlace extends WorkspaceInPartition {
  readonly offset: number;
}

/** An accepted event with its estimated size in memory while it is open, in bytes. */
export interface SizedEvent extends EventPlace {
  readonly bytes: number;
}

export interface OpenLimits {
  readonly openEvents: number;
  readonly openBytes: number;
}

/**
 * Divides the room for open events among workspaces. An event without room is deferred: only its offset is kept, and it is
 * read again later. Consecutive offsets of a workspace form a run, of which only the bounds are kept; many runs become bits. A workspace
 * may use an eighth of what all workspaces leave free. So the first one with a backlog uses a ninth of the room, each further one less,
 * and a workspace without a backlog gets room at once, or at least before them.
 */
export interface Backlogs {
  /** Counts an event as open, or defers it. The events of a workspace in a partition stay in order. @returns whether it is open */
  take(event: SizedEvent): boolean;
  /** Counts a deferred event that was read again as open. @returns false if it is not the next one, or has no room now */
  takeDeferred(event: SizedEvent): boolean;
  /** Whether there is room for another event of a workspace, within its share. */
  hasRoom(workspace: WorkspaceInPartition): boolean;
  /** Counts an event as open that was never deferred. */
  takeAgain(event: SizedEvent): void;
  release(event: SizedEvent): void;
  /**
   * The event to read again next, in the partition of the workspace with the fewest open events among those that use less than
   * half of what they may. Workspaces without open events come first.
   *
   * A read also returns events of other workspaces. If some of these have their first deferred event shortly before that of the
   * workspace, it begins there, so that workspaces advance together and each read brings something for most of them.
   *
   * @param isReadable whether a partition can be read now
   */
  next(isReadable?: (partition: number) => boolean): EventPlace | null;
  /** Whether at least a quarter of the room is free. */
  isRoomy(): boolean;
  anyDeferred(): boolean;
  /**
   * Removes a deferred event, and those that follow it in its workspace before an offset: up to 10,000. Nothing, if it is not
   * deferred.
   *
   * @returns the offsets of those that it removed, ascending
   */
  removeDeferred(event: EventPlace, before: number): readonly number[];
  /** The memory that the offsets of a partition's deferred events take, in runs. */
  deferredRuns(partition: number): number;
  /** Forgets the deferred events of a partition. Open ones are released one by one. */
  drop(partition: number): void;
}

/** The open events of one workspace in one partition. */
interface Usage {
  events: number;
  bytes: number;
}

/** The events of one workspace in one partition. */
interface Backlog extends WorkspaceInPartition, Usage {
  readonly deferred: OffsetSet;
}

const NOTHING: Readonly<Usage> = { events: 0, bytes: 0 };
/** The fraction of the free room that a workspace may use. */
const SHARE = 1 / 8;
/** Deferred events are read again once their workspace uses less than this fraction of its share, so a read brings several. */
const RESUMED = 1 / 2;
/** With less than this fraction of the room free, deferred events are read again only for workspaces without open ones. */
const ROOMY = 1 / 4;
/** How many events before that of the workspace it is for a read may begin. The workspace waits for some reads then. */
const NEAR = 300;

/** Removing more would take longer than other work should wait. */
const REMOVED_AT_MOST = 10_000;

export function createBacklogs({ openEvents, openBytes }: OpenLimits): Backlogs {
  /** By partition and key. */
  const backlogs = new Map<number, Map<string, Backlog>>();
  const waiting = new Set<Backlog>();
  const runsOf = new Map<number, number>();
  const free = { events: openEvents, bytes: openBytes };
  const find = ({ partition, key }: WorkspaceInPartition) => backlogs.get(partition)?.get(key);
  const backlogOf = (event: EventPlace): Backlog => {
    const existing = find(event);
    if (existing !== undefined) return existing;
    const { partition, key } = event;
    const created = { partition, key, events: 0, bytes: 0, deferred: new OffsetSet() };
    const siblings = backlogs.get(partition);
    if (siblings === undefined) backlogs.set(partition, new Map([[key, created]]));
    else siblings.set(key, created);
    return created;
  };
  const uses = ({ events, bytes }: Readonly<Usage>, part: number) =>
    events >= part * SHARE * free.events || bytes >= part * SHARE * free.bytes;
  const isRoomy = () => free.events >= ROOMY * openEvents && free.bytes >= ROOMY * openBytes;
  const count = (backlog: Backlog, events: number, bytes: number) => {
    backlog.events += events;
    backlog.bytes += bytes;
    free.events -= events;
    free.bytes -= bytes;
  };
  /** Changes the deferred events of a backlog. */
  const change = <T>({ partition, deferred }: Backlog, to: (deferred: OffsetSet) => T): T => {
    const runs = (runsOf.get(partition) ?? 0) - deferred.runs;
    const result = to(deferred);
    runsOf.set(partition, runs + deferred.runs);
    return result;
  };
  const forgetIfEmpty = (backlog: Backlog) => {
    if (backlog.deferred.size > 0) return;
    waiting.delete(backlog);
    if (backlog.events === 0) backlogs.get(backlog.partition)?.delete(backlog.key);
  };

  return {
    take(event) {
      const backlog = backlogOf(event);
      if (backlog.deferred.size > 0 || uses(backlog, 1)) {
        change(backlog, (deferred) => deferred.add(event.offset));
        waiting.add(backlog);
        return false;
      }
      count(backlog, 1, event.bytes);
      return true;
    },
    takeDeferred(event) {
      const backlog = find(event);
      if (backlog?.deferred.first() !== event.offset || uses(backlog, 1)) return false;
      change(backlog, (deferred) => deferred.delete(event.offset));
      count(backlog, 1, event.bytes);
      forgetIfEmpty(backlog);
      return true;
    },
    hasRoom: (workspace) => !uses(find(workspace) ?? NOTHING, 1),
    takeAgain(event) {
      count(backlogOf(event), 1, event.bytes);
    },
    release(event) {
      const backlog = backlogOf(event);
      count(backlog, -1, -event.bytes);
      forgetIfEmpty(backlog);
    },
    next(isReadable = () => true) {
      const isReady = (backlog: Backlog) =>
        (backlog.events === 0 || isRoomy()) && !uses(backlog, RESUMED) && isReadable(backlog.partition);
      const least = lowestBy(waiting, (one) => (isReady(one) ? one.events : null));
      if (least === null) return null;
      const earliest = (least.deferred.first() ?? 0) - NEAR;
      const first = lowestBy(waiting, (one) => {
        const offset = one.deferred.first();
        const isReadWith =
          one.partition === least.partition && offset !== null && offset >= earliest && !uses(one, RESUMED);
        return isReadWith ? offset : null;
      });
      return first && placeOfFirst(first);
    },
    isRoomy,
    anyDeferred: () => waiting.size > 0,
    removeDeferred(event, before) {
      const backlog = find(event);
      if (backlog === undefined) return [];
      const removed = change(backlog, (deferred) => {
        const offsets: number[] = [];
        let offset: number | null = event.offset;
        while (offset !== null && offset >= event.offset && offset < before && deferred.delete(offset)) {
          offsets.push(offset);
          offset = offsets.length < REMOVED_AT_MOST ? deferred.first() : null;
        }
        return offsets;
      });
      forgetIfEmpty(backlog);
      return removed;
    },
    deferredRuns: (partition) => runsOf.get(partition) ?? 0,
    drop(partition) {
      runsOf.delete(partition);
      for (const backlog of waiting) {
        if (backlog.partition !== partition) continue;
        backlog.deferred.clear();
        forgetIfEmpty(backlog);
      }
    },
  };
}

/** @param by null for an item that is left out */
function lowestBy<Item>(items: Iterable<Item>, by: (item: Item) => number | null): Item | null {
  let lowest: Item | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const value = by(item);
    if (value !== null && value < least) [lowest, least] = [item, value];
  }
  return lowest;
}

function placeOfFirst(backlog: Backlog): EventPlace | null {
  const offset = backlog.deferred.first();
  return offset === null ? null : { partition: backlog.partition, key: backlog.key, offset };
}
