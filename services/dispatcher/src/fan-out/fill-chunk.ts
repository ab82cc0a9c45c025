import type { Delivery } from '@postrider/shared/domain/delivery';
import type { SubscribedEndpoint } from '@postrider/shared/domain/endpoint';
import type { EndpointId } from '@postrider/shared/domain/id';
import type { OpenEvent } from './open-event.js';
import { indexAfter, type Page, serves } from './page.js';
import { type Planned, type PlannedHeld, type Planning, planDelivery } from './plan-delivery.js';
import type { Lane } from './workspace-ring.js';

/** A row, and its endpoint as it was read for the row. */
export interface PlannedRow {
  readonly row: Delivery;
  readonly endpoint: SubscribedEndpoint;
  /** When that read began, in milliseconds of a monotonic clock. */
  readonly endpointReadAt: number;
  /** Its size in memory, in bytes. */
  readonly bytes: number;
}

/** The part of a chunk that one event contributes. */
export interface Piece {
  readonly event: OpenEvent;
  readonly rows: readonly PlannedRow[];
  readonly held: readonly PlannedHeld[];
  /** Where the event's subscribers continue once the rows are stored. */
  readonly after: EndpointId | null;
  /** Whether no subscribers follow. */
  readonly isLast: boolean;
  /** The first of its subscribers that is damaged: nothing is planned for it. */
  readonly damaged: DamagedSubscriber | null;
}

export interface DamagedSubscriber {
  readonly endpointId: EndpointId;
  readonly error: unknown;
}

export interface Chunk {
  readonly pieces: readonly Piece[];
  /** Whether the limits ended it. */
  readonly isFull: boolean;
  /** Lanes that had no turn because the limits ended the chunk first. */
  readonly missed: readonly Lane[];
}

export interface ChunkLimits {
  readonly rows: number;
  /** Rows of one lane, if the chunk has several lanes. */
  readonly rowsEach: number;
  readonly bytes: number;
  /** The cost of looking up subscribers and comparing with filters: it takes time even if no row results. */
  readonly checks: number;
}

/** Size of a row in memory without its payload, in bytes. */
const ROW_BYTES = 1_024;
/** Costs in checks: of finding the subscribers of an event, for each subscriber found, and of planning for one. */
const EVENT_CHECKS = 50;
const FOUND_CHECKS = 5;
const PLANNED_CHECKS = 20;

/**
 * Plans the next rows of the lanes, up to the limits. The lanes take turns with equal shares of each limit, so one with many
 * or large rows leaves room for the others, and uses the room that they leave. A lane that has much to do does not make the chunk
 * of others longer than `rowsEach`.
 */
export function fillChunk(lanes: readonly Lane[], limits: ChunkLimits, planning: Planning): Chunk {
  const pieces = new Map<OpenEvent, MutablePiece>();
  const room = { ...limits };
  const share = shareOf(limits, lanes.length);
  const rowsEach = lanes.length > 1 ? limits.rowsEach : limits.rows;
  let active = lanes.map((lane) => ({ lane, steps: stepsOf(lane, planning), rowsLeft: rowsEach }));
  const unserved = new Set(lanes);
  let isLaneEnded = false;
  while (active.length > 0 && hasRoom(room)) {
    active = active.filter((one) => {
      if (!hasRoom(room)) return true;
      unserved.delete(one.lane);
      const ownShare = { ...share, rows: Math.min(share.rows, one.rowsLeft) };
      const { hasMore, rowsTaken } = takeShare(one.steps, { share: ownShare, room, pieces });
      one.rowsLeft -= rowsTaken;
      isLaneEnded ||= hasMore && one.rowsLeft <= 0;
      return hasMore && one.rowsLeft > 0;
    });
  }
  const isFull = isLaneEnded || !hasRoom(room);
  return { pieces: [...pieces.values()], isFull, missed: [...unserved] };
}

type Room = { -readonly [Limit in Exclude<keyof ChunkLimits, 'rowsEach'>]: number };

function hasRoom({ rows, bytes, checks }: Room): boolean {
  return rows > 0 && bytes > 0 && checks > 0;
}

function shareOf({ rows, bytes, checks }: ChunkLimits, lanes: number): Readonly<Room> {
  const share = 1 / Math.max(lanes, 1);
  return { rows: rows * share, bytes: bytes * share, checks: checks * share };
}

interface MutablePiece extends Piece {
  readonly rows: PlannedRow[];
  readonly held: PlannedHeld[];
  after: EndpointId | null;
  isLast: boolean;
  damaged: DamagedSubscriber | null;
}

/** A subscriber to which an event is owed, one that is damaged, or the end of the event's subscribers as far as they are known. */
interface Step {
  readonly event: OpenEvent;
  readonly after: EndpointId | null;
  /** The cost of finding this step. */
  readonly checks: number;
  readonly next: {
    readonly planned: Planned;
    readonly endpoint: SubscribedEndpoint;
    readonly endpointReadAt: number;
  } | null;
  readonly damaged: DamagedSubscriber | null;
  readonly isLast: boolean;
}

/** Takes steps of a lane into the chunk, up to its share. @returns whether it may have further steps, and the rows taken */
function takeShare(
  steps: Iterator<Step>,
  {
    share,
    room,
    pieces,
  }: {
    readonly share: Room;
    readonly room: Room;
    readonly pieces: Map<OpenEvent, MutablePiece>;
  },
): { readonly hasMore: boolean; readonly rowsTaken: number } {
  let rowsTaken = 0;
  const take = (limit: keyof Room, amount: number) => {
    share[limit] -= amount;
    room[limit] -= amount;
  };
  while (hasRoom(share) && hasRoom(room)) {
    const { done, value: step } = steps.next();
    if (done) return { hasMore: false, rowsTaken };
    let piece = pieces.get(step.event);
    if (piece === undefined) {
      piece = {
        event: step.event,
        rows: [],
        held: [],
        after: step.after,
        isLast: step.isLast,
        damaged: null,
      };
      pieces.set(step.event, piece);
    }
    piece.after = step.after;
    piece.isLast = step.isLast;
    piece.damaged ??= step.damaged;
    take('checks', step.checks);
    if (step.next === null) continue;
    const { planned, ...read } = step.next;
    if (planned.kind === 'filtered') continue;
    const bytes = step.event.bytes + ROW_BYTES;
    if (planned.kind === 'held') piece.held.push(planned.held);
    else piece.rows.push({ row: planned.row, ...read, bytes });
    take('rows', 1);
    rowsTaken += 1;
    take('bytes', bytes);
  }
  return { hasMore: true, rowsTaken };
}

/** Yields the steps of a lane's events in order, as far as its page serves them. */
function* stepsOf({ page, events }: Lane, planning: Planning): Generator<Step, undefined, void> {
  for (const event of events) {
    if (!serves(page, event)) return;
    yield* stepsOfEvent(event, page, planning);
    if (!page.isLast) return;
  }
}

function* stepsOfEvent(event: OpenEvent, page: Page, planning: Planning): Generator<Step, undefined, void> {
  const { isLast, readAt: endpointReadAt } = page;
  const subscribers = page.subscribersOf(event.event.type);
  let { after } = event;
  let checks = EVENT_CHECKS + subscribers.length * FOUND_CHECKS;
  for (const subscriber of subscribers.slice(indexAfter(subscribers, after))) {
    const { endpoint } = subscriber;
    after = endpoint.id;
    checks += PLANNED_CHECKS;
    let next: Step['next'] = null;
    let damaged: DamagedSubscriber | null = null;
    try {
      const planned = planDelivery(event.event, subscriber, planning);
      if (planned === null) continue;
      checks += planned.checks;
      next = { planned, endpoint, endpointReadAt };
    } catch (error) {
      damaged = { endpointId: endpoint.id, error };
    }
    yield { event, after, checks, next, damaged, isLast: false };
    checks = 0;
  }
  yield { event, after: page.subscribers.at(-1)?.id ?? after, checks, next: null, damaged: null, isLast };
}
