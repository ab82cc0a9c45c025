import type { Delivery } from '@postrider/shared/domain/delivery';
import type { EndpointId } from '@postrider/shared/domain/id';
import type { OpenEvent } from './open-event.js';
import { indexAfter, serves } from './page.js';
import { type Planned, type PlannedHeld, planDelivery } from './plan-delivery.js';
import type { Lane } from './workspace-ring.js';

/** The part of a chunk that one event contributes. */
export interface Piece {
  readonly event: OpenEvent;
  readonly rows: readonly Delivery[];
  readonly held: readonly PlannedHeld[];
  /** Where the event's subscribers continue once the rows are stored. */
  readonly after: EndpointId | null;
  /** No subscribers follow. */
  readonly isLast: boolean;
}

export interface Chunk {
  readonly pieces: readonly Piece[];
  /** The limits ended it. */
  readonly isFull: boolean;
}

export interface ChunkLimits {
  readonly rows: number;
  readonly bytes: number;
}

/** What a row takes besides its payload. */
const ROW_BYTES = 1_024;

/**
 * Plans the next rows of the lanes, up to the limits. The lanes take turns with equal shares, so one with many rows
 * leaves room for the others, and fills what they do not use.
 */
export function fillChunk(lanes: readonly Lane[], limits: ChunkLimits, now: Date): Chunk {
  const pieces = new Map<OpenEvent, MutablePiece>();
  const room = { ...limits };
  const share = Math.ceil(limits.rows / Math.max(lanes.length, 1));
  let active = lanes.map((lane) => stepsOf(lane, now));
  while (active.length > 0 && room.rows > 0 && room.bytes > 0) {
    active = active.filter((steps) => takeShare(steps, { share, room, pieces }));
  }
  return { pieces: [...pieces.values()], isFull: room.rows <= 0 || room.bytes <= 0 };
}

interface MutablePiece extends Piece {
  readonly rows: Delivery[];
  readonly held: PlannedHeld[];
  after: EndpointId | null;
  isLast: boolean;
}

/** One subscriber of an event, or the end of its subscribers as far as they are known. */
interface Step {
  readonly event: OpenEvent;
  readonly after: EndpointId | null;
  readonly planned: Planned;
  readonly isLast: boolean;
}

/** @returns false if the lane has no further steps */
function takeShare(
  steps: Iterator<Step>,
  {
    share,
    room,
    pieces,
  }: {
    readonly share: number;
    readonly room: { rows: number; bytes: number };
    readonly pieces: Map<OpenEvent, MutablePiece>;
  },
): boolean {
  for (let taken = 0; taken < share && room.rows > 0 && room.bytes > 0; ) {
    const { done, value: step } = steps.next();
    if (done) return false;
    let piece = pieces.get(step.event);
    if (piece === undefined) {
      piece = { event: step.event, rows: [], held: [], after: step.after, isLast: step.isLast };
      pieces.set(step.event, piece);
    }
    piece.after = step.after;
    piece.isLast = step.isLast;
    if (step.planned === null) continue;
    if (step.planned.kind === 'held') piece.held.push(step.planned.held);
    else piece.rows.push(step.planned.row);
    taken += 1;
    room.rows -= 1;
    room.bytes -= step.event.bytes + ROW_BYTES;
  }
  return true;
}

/** The events of a lane one after the other, as far as its page serves them. */
function* stepsOf({ page, events }: Lane, now: Date): Generator<Step, undefined, void> {
  for (const event of events) {
    if (!serves(page, event)) return;
    const { subscribers, isLast } = page;
    let { after } = event;
    for (let index = indexAfter(subscribers, after); index < subscribers.length; index += 1) {
      const subscriber = subscribers[index];
      if (subscriber === undefined) break;
      after = subscriber.id;
      const planned = planDelivery(event.event, subscriber, now);
      if (planned !== null) yield { event, after, planned, isLast: false };
    }
    yield { event, after, planned: null, isLast };
    if (!isLast) return;
  }
}
