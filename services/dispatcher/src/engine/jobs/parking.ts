import { createAgeing } from '../scheduler/ageing.js';
import type { EndpointRef } from '../scheduler/lanes.js';
import type { Standing } from '../scheduler/standing.js';
import { createTurns } from '../scheduler/turns.js';

/** The state of a parked endpoint, whose backlog is read from its rows instead of kept in memory. */
interface Parked extends EndpointRef {
  workspaceId: string;
  /** More of its rows are due than have a job, as far as is known. */
  isBehind: boolean;
  /** A message was skipped since the last query began, so its row may be newer than the query. */
  hasSkipped: boolean;
  /** ready: waits for its query. fed: has queued jobs. resting: waits before its next query, which would find the same now. */
  state: 'ready' | 'querying' | 'fed' | 'resting';
  /** It is ready again when fewer jobs than this are queued. */
  refillBelow: number;
}

/** The result of a query for the rows of a parked endpoint. */
export interface QueryEnd {
  /** Whether there may be more rows than those that have a job now. */
  readonly isBehind: boolean;
  /** Whether all rows that it found have jobs, so that another query at once would find the same. */
  readonly foundNothingNew: boolean;
  /** Null if there were no rows. */
  readonly workspaceId: string | null;
  readonly now: number;
  readonly refillBelow: number;
}

/** Stands for the workspace of an endpoint that is no longer stored, until its rows are read. */
export const UNKNOWN_WORKSPACE = '';

/** Kinds of parked endpoints: those that answer, those of which this is not known, and those that do not answer. */
export const FEED_CLASSES = ['proven', 'new', 'silent'] as const;
export type FeedClass = (typeof FEED_CLASSES)[number];

export function feedClassOf(standing: Standing): FeedClass {
  switch (standing) {
    case 'proven':
    case 'slow':
      return 'proven';
    case 'new':
    case 'suspect':
      return 'new';
    case 'silent':
      return 'silent';
  }
}

/** Maximum number of held workspaces of a class: all of them are checked in each tick. So many are held only while memory is full. */
const MAX_HELD = 256;

/** Whether rows of a workspace may be queried now. */
type MayFeed = (workspaceId: string) => boolean;

/** Every operation except `unpark` takes the same time, however many endpoints are parked. */
export interface ParkingLot {
  /** Parks an endpoint that is behind. Does nothing if too many are parked: the reconciler will find its rows. */
  park(endpoint: EndpointRef): void;
  /** Parks an endpoint with an overdue row, unless it is parked or too many are. Whether it is behind is not known yet. */
  parkOverdue(endpoint: EndpointRef): void;
  isParked(endpointId: string): boolean;
  /** Whether it is parked and new jobs must wait for its query, because older rows are due. */
  isBehind(endpointId: string): boolean;
  /** A message of a parked endpoint was marked done without an attempt: its row will be fed instead. */
  messageSkipped(endpointId: string): void;
  /** Only `queued` jobs of the endpoint are left in its queue. */
  drained(endpointId: string, queued: number): void;
  /**
   * Returns the next endpoint to query; its query begins. Workspaces take turns; for new endpoints, those with the fewest
   * unproven jobs come first: room for such jobs is limited, and slow endpoints occupy it for long. A workspace that may not be
   * fed is held until `release`, and keeps its turn.
   */
  next(feedClass: FeedClass, mayFeed: MayFeed): EndpointRef | null;
  /** Releases the held workspaces that may be fed now. */
  release(mayFeed: MayFeed): void;
  /** @returns true if the endpoint is no longer parked and should be rechecked once a little later */
  queryEnded(endpointId: string, end: QueryEnd): boolean;
  queryFailed(endpointId: string, now: number): void;
  /** Makes endpoints that have rested ready. */
  wake(now: number): void;
  /** The number of a workspace's unproven jobs has changed. */
  reorder(workspaceId: string): void;
  /** Unparks the endpoints that match. */
  unpark(matches: (endpointId: string) => boolean): void;
  /** The number of endpoints that wait for their query. */
  ready(): number;
  isFull(): boolean;
  size(): number;
}

const REST_MS = 1_000;
const MAX_PARKED = 100_000;

interface ParkingLotParts {
  readonly classOf: (endpointId: string) => FeedClass;
  /** The number of a workspace's unproven jobs. */
  readonly unprovenOf: (workspaceId: string) => number;
  /** Called when an endpoint was parked. */
  readonly onParked: () => void;
  readonly maxParked?: number;
}

export function createParkingLot(parts: ParkingLotParts): ParkingLot {
  const { classOf, unprovenOf, onParked, maxParked = MAX_PARKED } = parts;
  const parked = new Map<string, Parked>();
  const resting = createAgeing<Parked>(REST_MS);
  const turns = {
    proven: createTurns<string, Parked>(() => 0),
    new: createTurns<string, Parked>(unprovenOf),
    silent: createTurns<string, Parked>(() => 0),
  };
  let ready = 0;
  const isCurrent = (entry: Parked) => parked.get(entry.endpointId) === entry;
  const makeReady = (entry: Parked) => {
    entry.state = 'ready';
    ready += 1;
    turns[classOf(entry.endpointId)].add(entry.workspaceId, entry);
  };
  const remove = (entry: Parked) => {
    parked.delete(entry.endpointId);
    if (entry.state === 'ready') ready -= 1;
  };
  const rest = (entry: Parked, now: number) => {
    entry.state = 'resting';
    resting.add(entry, now);
  };
  const park = ({ endpointId, workspaceId }: EndpointRef, isBehind: boolean) => {
    const existing = parked.get(endpointId);
    if (existing !== undefined) existing.isBehind ||= isBehind;
    if (existing !== undefined || parked.size >= maxParked) return;
    const entry: Parked = {
      endpointId,
      workspaceId,
      isBehind,
      hasSkipped: false,
      state: 'ready',
      refillBelow: 1,
    };
    parked.set(endpointId, entry);
    makeReady(entry);
    onParked();
  };
  return {
    park: (endpoint) => park(endpoint, true),
    parkOverdue: (endpoint) => park(endpoint, false),
    isParked: (endpointId) => parked.has(endpointId),
    isBehind: (endpointId) => parked.get(endpointId)?.isBehind ?? false,
    messageSkipped(endpointId) {
      const entry = parked.get(endpointId);
      if (entry !== undefined) entry.hasSkipped = true;
    },
    drained(endpointId, queued) {
      const entry = parked.get(endpointId);
      if (entry?.state === 'fed' && queued < entry.refillBelow) makeReady(entry);
    },
    next(feedClass, mayFeed) {
      const queues = turns[feedClass];
      for (let queue = queues.first(); queue !== null; queue = queues.first()) {
        if (!mayFeed(queue.group)) {
          if (queues.held() === MAX_HELD) return null;
          queues.hold(queue);
          continue;
        }
        const entry = queue.items.shift();
        queues.served(queue);
        if (queue.items.size === 0) queues.forget(queue.group);
        if (entry === undefined || !isCurrent(entry)) continue;
        ready -= 1;
        entry.state = 'querying';
        entry.hasSkipped = false;
        return { endpointId: entry.endpointId, workspaceId: entry.workspaceId };
      }
      return null;
    },
    release(mayFeed) {
      for (const feedClass of FEED_CLASSES) turns[feedClass].release(mayFeed);
    },
    queryEnded(endpointId, { isBehind, foundNothingNew, workspaceId, now, refillBelow }) {
      const entry = parked.get(endpointId);
      if (entry?.state !== 'querying') return false;
      entry.refillBelow = refillBelow;
      entry.workspaceId = workspaceId ?? entry.workspaceId;
      entry.state = 'fed';
      entry.isBehind = isBehind;
      if (isBehind ? foundNothingNew : entry.hasSkipped) rest(entry, now);
      if (isBehind || entry.hasSkipped) return false;
      remove(entry);
      return true;
    },
    queryFailed(endpointId, now) {
      const entry = parked.get(endpointId);
      if (entry?.state === 'querying') rest(entry, now);
    },
    wake(now) {
      for (let entry = resting.next(now); entry !== null; entry = resting.next(now))
        if (isCurrent(entry)) makeReady(entry);
    },
    reorder: turns.new.reorder,
    unpark(matches) {
      for (const entry of parked.values()) if (matches(entry.endpointId)) remove(entry);
    },
    ready: () => ready,
    isFull: () => parked.size >= maxParked,
    size: () => parked.size,
  };
}
