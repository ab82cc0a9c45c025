import type { FanOutStore } from '@postrider/shared/ports/fan-out';
import type { Log } from '@postrider/shared/ports/log';
import { doublingPauseMs } from '@postrider/shared/runtime/doubling-pause';
import { isolate } from '@postrider/shared/runtime/isolate';
import { createLogThrottle } from '@postrider/shared/runtime/log-throttle';
import type { HandedOver, HandOver, StoredDelivery } from '../ports/hand-over.js';
import { fillChunk, type Piece, type PlannedRow } from './fill-chunk.js';
import type { HeldLimit } from './held-limit.js';
import type { LaneRests } from './lane-rests.js';
import { createMatchFilters } from './match-filters.js';
import { messageOf } from './message-of.js';
import { advanceTo, type OpenEvent } from './open-event.js';
import type { Progress } from './progress.js';
import type { StoredPiece } from './publishing.js';
import { splitByMatch } from './split-by-match.js';
import { createSubscriberPages } from './subscriber-pages.js';
import type { Lane, WorkspaceRing } from './workspace-ring.js';

/** One round reads subscribers, plans a chunk and stores its rows. */
export interface Rounds {
  run(): Promise<RoundEnd>;
}

/**
 * - `full`: lanes had no room in it, so that the next round need not wait for more events.
 * - `resting`: it did nothing, because all lanes rest.
 */
export type RoundEnd = 'full' | 'done' | 'resting';

interface RoundParts {
  readonly store: Pick<FanOutStore, 'subscribers' | 'subscribersAfter' | 'insert' | 'insertUnmatched'>;
  readonly ring: WorkspaceRing;
  readonly progress: Progress;
  readonly rests: LaneRests;
  readonly heldLimit: HeldLimit;
  /** Whether every process of the installation understands held deliveries. */
  readonly mayHold: () => boolean;
  readonly handOver: HandOver;
  /** Takes over pieces whose rows are stored. */
  readonly onChunk: (pieces: readonly StoredPiece[]) => void;
  /** Adds an event to the ring again after a delay. */
  readonly addLater: (event: OpenEvent, delayMs: number) => void;
  readonly isDatabaseAway: (error: unknown) => boolean;
  readonly sleep: (ms: number) => Promise<void>;
  readonly monotonicMs: () => number;
  /** When deliveries that are stored now are due. */
  readonly newDueAt: () => Date;
  readonly log: Log;
}

const NONE: ReadonlyMap<string, HandedOver> = new Map();
/**
 * Events of others wait for the rows of a workspace that has many, on the event loop and in the database. Checks take 10 to 50 ns
 * each, so those of a chunk some 10 ms.
 */
const CHUNK = { rows: 500, rowsEach: 100, bytes: 4 * 1024 * 1024, checks: 250_000 };
const PAUSE = { firstMs: 200, longestMs: 2_000 };
/** Delay before an event whose rows could not be stored even alone is tried again. */
const DELAY = { firstMs: 200, longestMs: 30_000 };
/** Maximum number of damaged endpoints that are logged separately. */
const MAX_LOGGED = 1_000;

export function createRounds(parts: RoundParts): Rounds {
  const { ring, progress, rests, heldLimit, isDatabaseAway, sleep, newDueAt, log } = parts;
  const pages = createSubscriberPages(parts.store, parts.monotonicMs);
  const matchFilter = createMatchFilters();
  const mayLogDamaged = createLogThrottle({ monotonicMs: parts.monotonicMs, maxKeys: MAX_LOGGED });
  let failures = 0;

  const noteDamaged = ({ event, damaged }: Piece) => {
    if (damaged === null) return;
    const { endpointId, error: err } = damaged;
    event.completion.damaged ??= endpointId;
    if (!mayLogDamaged(endpointId)) return;
    const { payload, traceId } = event.event;
    log.error(
      { event: 'fan_out.endpoint_damaged', endpointId, eventId: payload.eventId, traceId, err },
      'an endpoint is damaged in the database: its deliveries cannot be planned, and its events are fanned out again until they can',
    );
  };
  const advance = (pieces: readonly StoredPiece[]) => {
    if (pieces.length === 0) return;
    for (const piece of pieces) {
      advanceTo(piece.event, piece);
      piece.event.failures = 0;
    }
    parts.onChunk(pieces);
  };
  const read = async (lanes: readonly Lane[]) => {
    const notRead = await pages.read(lanes);
    const complete = await progress.restore(lanes.flatMap(startingLarge));
    for (const event of complete) event.isMatched = true;
    advance(complete.map(completed));
    return notRead;
  };
  const insert = async (pieces: readonly Piece[]): Promise<readonly StoredPiece[]> => {
    const rows = pieces.flatMap((piece) => piece.rows.map(({ row }) => row));
    const mayHold = parts.mayHold();
    const heldOf = (some: readonly Piece[]) => (mayHold ? some.flatMap(({ held }) => held) : []);
    const admitted = heldLimit.admit(heldOf(pieces));
    const isEmpty = rows.length + admitted.length === 0;
    const { matched, unmatched } = splitByMatch(pieces, admitted);
    const inserting = isEmpty ? [] : parts.store.insert(rows, admitted);
    const insertingUnmatched = unmatched.length === 0 ? null : parts.store.insertUnmatched(unmatched);
    const [inserted] = await Promise.all([inserting, insertingUnmatched]);
    for (const event of matched) event.isMatched = true;
    const isAdmitted = new Set(admitted);
    // What a repeated event does not hold was counted the first time, or is stored.
    const missed = heldOf(pieces.filter(({ event }) => !event.isRepeated)).filter(
      (one) => !isAdmitted.has(one),
    );
    heldLimit.count({ admitted, inserted, missed });
    const insertedIds = new Set(inserted.map(({ id }) => id));
    const stored = pieces.map((piece) => ({ piece, newRows: newRows(piece, insertedIds) }));
    const offered = stored.flatMap(offersOf);
    const handedOver = offered.length === 0 ? NONE : parts.handOver(offered);
    return stored.map(({ piece, newRows }) => {
      return { ...piece, rows: piece.event.areMessagesDone ? newRows : piece.rows, handedOver };
    });
  };
  const retryLater = (event: OpenEvent, err: unknown) => {
    event.failures += 1;
    const delayMs = doublingPauseMs(event.failures, DELAY);
    log.warn(
      { event: 'fan_out.failed', eventId: event.event.payload.eventId, traceId: event.event.traceId, err },
      `the deliveries of an event could not be stored; trying again in ${delayMs} ms`,
    );
    ring.remove(event);
    parts.addLater(event, delayMs);
  };
  /** Stores the rows of each event alone, so that an event whose rows are rejected delays no others. */
  const insertAlone = async (pieces: readonly Piece[], error: unknown) => {
    const [only, ...others] = pieces;
    if (only !== undefined && others.length === 0) return retryLater(only.event, error);
    const { done, poisoned, failure } = await isolate(pieces, (piece) => insert([piece]), isDatabaseAway);
    advance([...done.values()].flat());
    for (const [piece, err] of poisoned) retryLater(piece.event, err);
    if (failure !== null) throw failure.error;
  };
  const store = async (pieces: readonly Piece[]) => {
    let stored: readonly StoredPiece[];
    try {
      stored = await insert(pieces);
    } catch (error) {
      for (const { event } of pieces) event.areMessagesDone = false;
      if (isDatabaseAway(error)) throw error;
      return insertAlone(pieces, error);
    }
    advance(stored);
  };
  const round = async (): Promise<RoundEnd> => {
    const lanes = pages.choose(rests.awake(ring.turns()));
    if (lanes.length === 0) return 'resting';
    try {
      const notRead = await read(lanes);
      const served = lanes.filter((lane) => !notRead.includes(lane));
      const planning = { dueAt: newDueAt(), matchFilter };
      const { pieces, isFull, missed } = fillChunk(served, CHUNK, planning);
      ring.giveBack([...missed, ...notRead]);
      for (const piece of pieces) noteDamaged(piece);
      await store(pieces);
      rests.begin(served, pieces);
      return isFull || notRead.length > 0 ? 'full' : 'done';
    } finally {
      for (const lane of lanes) ring.removePlanned(lane);
    }
  };

  return {
    async run() {
      try {
        const end = await round();
        failures = 0;
        return end;
      } catch (err) {
        failures += 1;
        const pauseMs = doublingPauseMs(failures, PAUSE);
        log.warn(
          { event: 'fan_out.failed', err },
          `a chunk could not be stored; trying again in ${pauseMs} ms`,
        );
        await sleep(pauseMs);
        return 'done';
      }
    },
  };
}

/** The end of an event that another process has fanned out. */
function completed(event: OpenEvent): StoredPiece {
  return { event, rows: [], held: [], after: event.after, isLast: true, damaged: null, handedOver: NONE };
}

/** The rows of a piece that were new. Others may have been attempted already. */
function newRows({ rows }: Piece, insertedIds: ReadonlySet<string>): readonly PlannedRow[] {
  return rows.filter(({ row }) => insertedIds.has(row.id));
}

function offersOf({ piece: { event }, newRows }: { piece: Piece; newRows: readonly PlannedRow[] }) {
  return newRows.map(({ row: delivery, endpoint, endpointReadAt, bytes }): StoredDelivery => {
    return { message: messageOf(event, delivery), delivery, endpoint, endpointReadAt, bytes };
  });
}

/** The next event of a lane if it has more than one page of subscribers and is not begun in this process. */
function startingLarge({ page, events: [next] }: Lane): OpenEvent[] {
  const isStarting =
    page !== null && !page.isLast && next !== undefined && next.after === null && !next.isLarge;
  return isStarting ? [next] : [];
}
