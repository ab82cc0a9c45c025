import type { Log } from '@postrider/shared/ports/log';
import { divideByAppended, type Enqueue, type Queued } from '@postrider/shared/ports/queue';
import { DELIVERIES_TOPIC } from '@postrider/shared/ports/topics';
import { coalesce } from '@postrider/shared/runtime/coalesce';
import type { HandedOver } from '../ports/hand-over.js';
import type { Piece } from './fill-chunk.js';
import { createLateMessages, type Tried } from './late-messages.js';
import { messageOf } from './message-of.js';

/** A piece whose rows are stored. */
export interface StoredPiece extends Piece {
  /** The rows whose first attempts start without their messages, by identifier; may include rows of other pieces. */
  readonly handedOver: ReadonlyMap<string, HandedOver>;
}

/** Publishes the messages of stored rows. */
export interface Publishing {
  /**
   * Publishes the messages of pieces. Those of rows that are handed over wait, and are published only if their attempts take
   * long or the rows are dropped. Messages that could not be published are tried again alongside new ones, until they are left
   * to their rows.
   */
  publish(pieces: readonly StoredPiece[], observer: PiecesObserver): void;
  /** The number of messages that are to be published and have not been tried yet. */
  pending(): number;
  /** Lets no messages wait from now on. */
  hurry(): void;
  stop(): void;
}

/** Called with the indices of one or more pieces, once for each piece; after `stop`, for some of them never. */
export interface PiecesObserver {
  /** No first attempt waits for a message of these pieces any longer. */
  onQueued(indices: readonly number[]): void;
  /** All messages of these pieces are published, no longer needed, or left to their rows. */
  onDone(indices: readonly number[]): void;
}

interface PublishingParts {
  readonly enqueue: Enqueue;
  /** Called whenever fewer rows are pending. */
  readonly onRoom: () => void;
  readonly sleep: (ms: number) => Promise<void>;
  /** A clock that never steps, in milliseconds. */
  readonly monotonicMs: () => number;
  readonly log: Log;
}

/** Minimum time that the message of a handed-over row waits for its attempt to end, in milliseconds; at most twice as long. */
const GATHER_MS = 500;
/** Maximum number of messages in one request. All may be in one batch, which takes some 300 bytes for each and at most 1 MB. */
const MAX_TOGETHER = 1_000;

/** A piece whose messages are neither all published nor left to their rows. */
interface OpenPiece {
  readonly index: number;
  readonly observer: PiecesObserver;
  /** Its messages that first attempts wait for, and all that are not done. */
  urgent: number;
  messages: number;
}

/** A message without its row: rows that waited as well would outlive their attempts, and all of them would get old in memory. */
interface Waiting {
  readonly queued: Queued;
  readonly piece: OpenPiece;
  /** Null if its first attempt waits for it. */
  readonly handedOver: HandedOver | null;
}

/** Messages of pieces that are added while others are being published are published together. */
export function createPublishing(parts: PublishingParts): Publishing {
  const { enqueue, onRoom } = parts;
  let pending = 0;
  /** Messages of handed-over rows: added since the last tick, and before it. */
  let recent = new Set<Waiting>();
  let older = new Set<Waiting>();
  let timer: NodeJS.Timeout | null = null;
  let isHurrying = false;
  const tryOnce = async (messages: readonly Waiting[]): Promise<Tried<Waiting>> => {
    const tried: Tried<Waiting>[] = [];
    for (let from = 0; from < messages.length; from += MAX_TOGETHER) {
      const some = messages.slice(from, from + MAX_TOGETHER);
      tried.push(
        await enqueue(some.map(({ queued }) => queued)).then(
          () => ({ appended: some, left: [], error: null }),
          (error: unknown) => ({ ...divideByAppended(some, error), error }),
        ),
      );
    }
    return {
      appended: tried.flatMap(({ appended }) => appended),
      left: tried.flatMap(({ left }) => left),
      error: tried.find(({ left }) => left.length > 0)?.error ?? null,
    };
  };
  const late = createLateMessages<Waiting>({ ...parts, tryOnce, onDone: end });
  const publishAll = coalesce(async (batches: readonly (readonly Waiting[])[]) => {
    const messages = batches.flat();
    const { appended, left, error } = await tryOnce(messages);
    pending -= messages.length;
    end(appended);
    if (left.length > 0) late.add(left, error);
    onRoom();
  });
  const publishNow = (messages: readonly Waiting[]) => {
    if (messages.length === 0) return;
    pending += messages.length;
    void publishAll(messages);
  };
  /** Publishes messages although their rows are handed over. */
  const publishWaiting = (messages: readonly Waiting[]) => {
    for (const { handedOver } of messages) if (handedOver !== null) handedOver.onEnded = () => {};
    publishNow(messages);
  };
  const tick = () => {
    const due = older;
    older = recent;
    recent = new Set();
    timer = older.size > 0 ? setTimeout(tick, GATHER_MS) : null;
    publishWaiting([...due]);
  };
  const wait = (message: Waiting, handedOver: HandedOver) => {
    recent.add(message);
    timer ??= setTimeout(tick, GATHER_MS);
    const take = () => recent.delete(message) || older.delete(message);
    handedOver.onEnded = () => {
      if (take()) endOne(message.piece);
    };
    handedOver.onDropped = () => {
      if (take()) publishWaiting([message]);
    };
  };
  /** @returns a piece, and its messages that first attempts wait for; the others wait for their attempts */
  const open = ({ event, rows, handedOver }: StoredPiece, index: number, observer: PiecesObserver) => {
    const piece: OpenPiece = { index, observer, urgent: 0, messages: 0 };
    const urgent: Waiting[] = [];
    for (const { row } of rows) {
      const taken = handedOver.get(row.id);
      if (taken?.hasEnded) continue;
      const queued = { topic: DELIVERIES_TOPIC, message: messageOf(event, row) };
      piece.messages += 1;
      if (taken === undefined || isHurrying) urgent.push({ queued, piece, handedOver: null });
      else wait({ queued, piece, handedOver: taken }, taken);
    }
    piece.urgent = urgent.length;
    return { piece, urgent };
  };
  return {
    publish(pieces, observer) {
      const opened = pieces.map((piece, index) => open(piece, index, observer));
      const all = opened.map(({ piece }) => piece);
      const withoutUrgent = all.filter((piece) => piece.urgent === 0);
      const withoutMessages = all.filter((piece) => piece.messages === 0);
      report(withoutUrgent, 'onQueued');
      report(withoutMessages, 'onDone');
      publishNow(opened.flatMap(({ urgent }) => urgent));
    },
    pending: () => pending,
    hurry() {
      isHurrying = true;
      if (timer !== null) clearTimeout(timer);
      publishWaiting([...older, ...recent]);
      older.clear();
      recent.clear();
    },
    stop: late.stop,
  };
}

/** Ends messages that are published, no longer needed, or left to their rows. */
function end(messages: readonly Waiting[]): void {
  const queued: OpenPiece[] = [];
  const done: OpenPiece[] = [];
  for (const { piece, handedOver } of messages) {
    if (handedOver === null) {
      piece.urgent -= 1;
      if (piece.urgent === 0) queued.push(piece);
    }
    piece.messages -= 1;
    if (piece.messages === 0) done.push(piece);
  }
  report(queued, 'onQueued');
  report(done, 'onDone');
}

/** The same for one message that no first attempt waits for: most messages end like this. */
function endOne(piece: OpenPiece): void {
  piece.messages -= 1;
  if (piece.messages === 0) piece.observer.onDone([piece.index]);
}

function report(pieces: readonly OpenPiece[], what: keyof PiecesObserver): void {
  for (const [observer, some] of Map.groupBy(pieces, (piece) => piece.observer))
    observer[what](some.map(({ index }) => index));
}
