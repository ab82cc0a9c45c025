import { isPlaced, type Lane, type Place, type Workspace } from './lane.js';
import { type CountedAs, createOrigins } from './origins.js';
import { createPacedLanes } from './paced-lanes.js';
import type { PoolLimits } from './pool-limits.js';
import { type Pools, SLOT_KINDS, type SlotKind, slotKindOf } from './pools.js';
import type { RowBytes } from './row-bytes.js';
import { type Standing, standingOf } from './standing.js';
import { createTurns, type Queue } from './turns.js';

/** The endpoints that wait for a slot, in a queue for each kind of slot, and those that wait for their origin. */
export interface SlotQueues<Job> {
  standing(lane: Lane<Job>): Standing;
  /** Puts a lane into the queue of its standing if it may have another POST in flight. */
  place(lane: Lane<Job>): void;
  /** Removes and returns the lane whose turn it is; null if none may start now. */
  next(): { readonly lane: Lane<Job>; readonly kind: SlotKind } | null;
  /** Whether the origin of a lane admits a POST. */
  isAdmitted(lane: Lane<Job>, kind: SlotKind): boolean;
  /** Counts a POST at an origin, or no longer does. */
  countAt(origin: string, workspace: Workspace, as: CountedAs, change: 1 | -1): void;
  /** The number of slots that a workspace uses has changed. */
  reorder(workspace: Workspace): void;
  /** A slot at an origin was freed: brings back workspaces and lanes that waited for it. */
  slotFreed(kind: SlotKind, origin: string | null): void;
  /** A lane that was brought back starts no POST at an origin: brings back others that wait for it. */
  unblockOthers(origin: string): void;
  /** The origin answered promptly. */
  originAnswered(origin: string): void;
  forget(workspace: Workspace): void;
  /** Places the lanes again whose rates admit another POST, and those whose rest has ended. */
  wake(): void;
  /** The earliest time at which a rate admits another POST or a rest ends; null if no lane waits for that. */
  nextWakeAt(): number | null;
  /** Endpoints that wait for their origin. */
  blocked(): number;
  /**
   * The number of workspaces with endpoints that answer and wait although slots are free: their jobs wait for this process alone.
   */
  awaitingStart(): number;
  /** The number of such endpoints of a workspace. */
  awaitingStartOf(workspace: Workspace): number;
}

/** The kinds that come first in every fourth turn: slow and silent endpoints take little from those that answer. */
const FOURTH_KINDS: readonly SlotKind[] = ['lingering', 'proven', 'proven', 'proven'];
/** New and suspect endpoints have a fourth of the turns each: after a restart all are, and only an answer makes them proven. */
const FIRST_KINDS = FOURTH_KINDS.flatMap((fourth): SlotKind[] => ['proven', 'new', 'suspect', fourth]);
/**
 * The order of the kinds in each turn. What a kind without work leaves goes to endpoints that answer first: many slow endpoints whose
 * POSTs end together would delay them otherwise.
 */
const ORDERS = FIRST_KINDS.map((first) => [first, ...SLOT_KINDS.filter((kind) => kind !== first)]);

interface SlotQueuesParts {
  readonly limits: PoolLimits;
  readonly pools: Pools;
  readonly rows: Pick<RowBytes, 'hasRoom' | 'admits'>;
  readonly monotonicMs: () => number;
  /** Called when a lane begins to wait for its rate, or to rest. */
  readonly onPaced: () => void;
}

export function createSlotQueues<Job>({
  limits,
  pools,
  rows,
  monotonicMs,
  onPaced,
}: SlotQueuesParts): SlotQueues<Job> {
  const origins = createOrigins<Place<Job>>(limits, isPlaced);
  const paced = createPacedLanes<Job>(monotonicMs, onPaced);
  const byPrompt = () => createTurns<Workspace, Place<Job>>(({ usage }) => usage.prompt);
  const turns = {
    proven: byPrompt(),
    new: byPrompt(),
    suspect: byPrompt(),
    lingering: createTurns<Workspace, Place<Job>>(({ usage }) => usage.lingering),
  };
  let turn = 0;
  /** Whether a workspace has waited for room for its rows since the waiting ones were last brought back. */
  let isRoomAwaited = false;

  const standing = (lane: Lane<Job>) => standingOf(lane.known, lane.lingering, monotonicMs());
  const capOf = (is: Standing): number => {
    if (is === 'proven') return limits.perEndpoint;
    // While the pool is less than half full, a slow endpoint takes nothing from others.
    return is === 'slow' && pools.isCalm() ? limits.perEndpoint : 1;
  };
  const hasWork = (lane: Lane<Job>) => lane.queue.size > 0 && lane.inFlight < capOf(standing(lane));
  const isReady = (lane: Lane<Job>) => hasWork(lane) && paced.admits(lane);
  const place = (lane: Lane<Job>) => {
    if (!hasWork(lane)) return;
    if (!paced.admits(lane)) {
      paced.wait(lane);
      return;
    }
    const kind = slotKindOf(standing(lane));
    if (lane.waitsFor === kind) return;
    lane.waitsFor = kind;
    lane.ticket += 1;
    turns[kind].add(lane.workspace, { lane, ticket: lane.ticket });
  };
  const placeAgain = (places: readonly Place<Job>[]) => {
    for (const one of places) {
      if (!isPlaced(one)) continue;
      one.lane.waitsFor = null;
      place(one.lane);
    }
  };
  /** Continues until a lane is in a queue: lanes may still wait for their rate, rest, or have their limit of POSTs in flight. */
  const unblock = (origin: string | null) => {
    if (origin === null) return;
    let places = origins.unblock(origin, monotonicMs());
    while (places.length > 0) {
      placeAgain(places);
      places = places.some(({ lane }) => lane.waitsFor !== null)
        ? []
        : origins.unblock(origin, monotonicMs());
    }
  };
  const applicant = ({ workspace }: Lane<Job>, kind: SlotKind) => ({
    workspaceId: workspace.id,
    proven: kind === 'proven',
  });
  const isAdmitted = (lane: Lane<Job>, kind: SlotKind) => {
    const { origin } = lane.known;
    return origin === null || origins.admits(origin, applicant(lane, kind), monotonicMs());
  };
  /** Removes places from a queue until one has a lane that may start now, and returns that lane. */
  const shiftFrom = ({ items }: Queue<Workspace, Place<Job>>, kind: SlotKind): Lane<Job> | null => {
    for (let one = items.shift(); one !== undefined; one = items.shift()) {
      const { lane } = one;
      if (!isPlaced(one)) continue;
      lane.waitsFor = null;
      const { origin } = lane.known;
      if (!isReady(lane) || slotKindOf(standing(lane)) !== kind) {
        place(lane);
        unblock(origin);
      } else if (origin === null || isAdmitted(lane, kind)) {
        return lane;
      } else {
        lane.waitsFor = kind;
        origins.block(origin, applicant(lane, kind), one);
      }
    }
    return null;
  };
  const hasRoom = (kind: SlotKind) => pools.hasRoom(kind) && rows.hasRoom(kind);
  /** Whether a slot is free that a workspace may take for an endpoint that answers. */
  const mayStart = ({ usage }: Workspace) => hasRoom('proven') && pools.leavesRoom('proven', usage);
  const nextOf = (kind: SlotKind): Lane<Job> | null => {
    if (!hasRoom(kind)) return null;
    for (let queue = turns[kind].first(); queue !== null; queue = turns[kind].first()) {
      // The others use as many slots or more.
      if (!pools.leavesRoom(kind, queue.group.usage)) return null;
      const areRowsAdmitted = rows.admits(kind, queue.group.rows);
      isRoomAwaited ||= !areRowsAdmitted;
      if (!areRowsAdmitted || !pools.admits(kind, queue.group.usage)) {
        turns[kind].hold(queue);
        continue;
      }
      const lane = shiftFrom(queue, kind);
      if (lane === null) {
        turns[kind].emptied(queue);
        continue;
      }
      turns[kind].served(queue);
      return lane;
    }
    return null;
  };

  return {
    standing,
    place,
    next() {
      turn = (turn + 1) % ORDERS.length;
      for (const kind of ORDERS[turn] ?? SLOT_KINDS) {
        const lane = nextOf(kind);
        if (lane !== null) return { lane, kind };
      }
      return null;
    },
    isAdmitted,
    countAt: (origin, workspace, as, change) => origins.count(origin, workspace.id, as, change),
    reorder(workspace) {
      for (const kind of SLOT_KINDS) turns[kind].reorder(workspace);
    },
    slotFreed(kind, origin) {
      if (kind === 'lingering' || isRoomAwaited) {
        isRoomAwaited = false;
        for (const one of SLOT_KINDS) turns[one].release(({ usage }) => pools.admits(one, usage));
      }
      // While POSTs linger there, their ends bring lanes back: to do so here would try more at an origin that does not answer.
      if (kind !== 'proven' || (origin !== null && !origins.isLingering(origin))) unblock(origin);
    },
    unblockOthers: unblock,
    originAnswered(origin) {
      const places = origins.answered(origin, monotonicMs());
      if (places === null) return;
      placeAgain(places);
      unblock(origin);
    },
    forget(workspace) {
      for (const kind of SLOT_KINDS) turns[kind].forget(workspace);
    },
    wake() {
      for (let lane = paced.next(); lane !== null; lane = paced.next()) place(lane);
    },
    nextWakeAt: paced.nextAt,
    blocked: origins.blocked,
    awaitingStart() {
      const first = turns.proven.first();
      // The others use as many slots or more.
      return first !== null && mayStart(first.group) ? turns.proven.size() : 0;
    },
    awaitingStartOf: (workspace) => (mayStart(workspace) ? turns.proven.itemsOf(workspace) : 0),
  };
}
