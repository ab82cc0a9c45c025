import { asId, type WorkspaceId } from '@postrider/shared/domain/id';
import type { Starts, UnstartedRows } from '../ports/hand-over.js';
import type { Piece } from './fill-chunk.js';
import type { Lane } from './workspace-ring.js';

/**
 * Lets a workspace rest after chunks with many rows of one event, as long as others have events and the process is busy. Otherwise
 * an event for 1,000 endpoints would use up the process until it is sent, and the events of all others would be late.
 *
 * Workspaces with a backlog also rest while the process sends more slowly than it stores rows: further rows would find no room in
 * memory, so that both they and their messages would have to be read back. A row that waits long costs a message and further reads,
 * which would keep a process behind that could keep up otherwise. So while it is behind for many endpoints of a workspace, that
 * workspace rests until twice as many attempts have started as its rows were stored, and while it is behind for many workspaces, all do.
 */
export interface LaneRests {
  /** Begins the rests of lanes whose pieces were stored together. */
  begin(lanes: readonly Lane[], stored: readonly Piece[]): void;
  /** Yields the lanes that do not rest. Ends early if many rest. */
  awake(lanes: Iterable<Lane>): Generator<Lane, void, void>;
}

interface LaneRestsParts {
  /** The share of the whole rest that is kept with the present load of the process, 0 to 1. */
  readonly spacing: () => number;
  readonly unstartedRows: UnstartedRows;
  readonly starts: Starts;
  readonly monotonicMs: () => number;
}

/** A workspace with this many events, or with its share of the rows that wait to be sent, has a backlog. */
const MANY_EVENTS = 4;
/** So many resting lanes are looked at for a chunk: the next one continues with the others, because turns rotate. */
const MAX_RESTING = 1_000;
/** An event with fewer rows in a chunk causes no rest: many small events are regular load. */
const MANY_ROWS = 20;
/** So many bytes of a piece count as much as a row: a chunk of large payloads has few rows, and costs as much as one of many. */
const BYTES_OF_ROW = 8 * 1024;
/** The whole rest for each row, in milliseconds. */
const MS_PER_ROW = 3;
/** An event causes no more rests when it has been open for so long, in milliseconds: rests take no throughput from a lasting load. */
const LONGEST_MS = 2_000;
/** Beside fewer workspaces, the rest is shorter in proportion: hardly anybody would profit from it. */
const MANY_OTHERS = 10;
/** How long a workspace counts after its last turn in a chunk, in milliseconds, and longer while it rests. */
const ACTIVE_MS = 1_000;

/** Rows stored for each attempt that starts while the process is behind for many workspaces. */
const ROWS_PER_START = 1 / 2;
/** So many rows beyond those that starts allowed are made up for; a chunk has no more. */
const MOST_OWED = 500;

/** What is known of a workspace that had a turn. Its lane may have ended, so a rest does not depend on it. */
interface Turn {
  readonly at: number;
  readonly restsUntil: number;
}

export function createLaneRests(parts: LaneRestsParts): LaneRests {
  const { spacing, unstartedRows, starts, monotonicMs } = parts;
  /** The last turn of each workspace, the earliest first. */
  const turns = new Map<WorkspaceId, Turn>();
  let seenStarts = 0;
  /** How many more rows may be stored for workspaces for which the process is behind; negative after a large chunk. */
  let allowedRows = 0;
  const note = (workspaceId: WorkspaceId, turn: Turn) => {
    turns.delete(workspaceId);
    turns.set(workspaceId, turn);
  };
  const endOfRest = (workspaceId: WorkspaceId) => turns.get(workspaceId)?.restsUntil ?? 0;
  const forgetInactive = (now: number) => {
    for (const [earliest, { at, restsUntil }] of turns) {
      if (at >= now - ACTIVE_MS) return;
      if (restsUntil <= now) turns.delete(earliest);
    }
  };
  const hasBacklog = ({ workspaceId, events }: Lane) =>
    events.length >= MANY_EVENTS || unstartedRows.hasShare(workspaceId);
  const workspaceOf = ({ event }: Piece) => asId('workspace', event.event.payload.workspaceId);
  /** Starts allow only the rows that are stored soon after them. */
  const allowRows = () => {
    const started = starts.count();
    allowedRows = Math.min(allowedRows, 0) + (started - seenStarts) * ROWS_PER_START;
    seenStarts = started;
  };
  const noteStored = (stored: readonly Piece[]) => {
    const isBehind = starts.areBehind();
    for (const piece of stored)
      if (isBehind || starts.areBehindFor(workspaceOf(piece))) allowedRows -= piece.rows.length;
    allowedRows = Math.max(allowedRows, -MOST_OWED);
  };
  return {
    begin(lanes, stored) {
      const now = monotonicMs();
      for (const { workspaceId } of lanes) note(workspaceId, { at: now, restsUntil: 0 });
      forgetInactive(now);
      noteStored(stored);
      const msPerRow = MS_PER_ROW * Math.min((turns.size - 1) / MANY_OTHERS, 1) * spacing();
      if (msPerRow === 0) return;
      for (const piece of stored) {
        const { event, rows } = piece;
        const count = Math.max(rows.length, bytesOf(rows) / BYTES_OF_ROW);
        if (count < MANY_ROWS || now - event.readAt >= LONGEST_MS) continue;
        const workspaceId = workspaceOf(piece);
        const from = Math.max(endOfRest(workspaceId), now);
        note(workspaceId, { at: now, restsUntil: from + count * msPerRow });
      }
    },
    *awake(lanes) {
      allowRows();
      const isSendingBehind = unstartedRows.areMany();
      const isBehind = starts.areBehind();
      let resting = 0;
      for (const lane of lanes) {
        const rests =
          endOfRest(lane.workspaceId) > monotonicMs() ||
          (isSendingBehind && hasBacklog(lane)) ||
          (allowedRows <= 0 && (isBehind || starts.areBehindFor(lane.workspaceId)));
        if (!rests) yield lane;
        else if (++resting === MAX_RESTING) return;
      }
    },
  };
}

function bytesOf(rows: Piece['rows']): number {
  return rows.reduce((sum, { bytes }) => sum + bytes, 0);
}
