import type { Log } from '@postrider/shared/ports/log';
import { divideByAppended, type Enqueue, type Queued } from '@postrider/shared/ports/queue';
import { DELIVERIES_TOPIC } from '@postrider/shared/ports/topics';
import { coalesce } from '@postrider/shared/runtime/coalesce';
import type { HandedOver } from '../ports/hand-over.js';
import type { Piece } from './fill-chunk.js';
import { createLateMessages } from './late-messages.js';
import { messageOf } from './message-of.js';

/** A piece whose rows are stored. */
export interface StoredPiece extends Piece {
  /** The rows whose first attempts start without their messages, by their identifiers; perhaps with others. */
  readonly handedOver: ReadonlyMap<string, HandedOver>;
}

/** Publishes the messages of stored rows. */
export interface Publishing {
  /**
   * Publishes what can be published. The messages of rows that are handed over wait, and are published only if their attempts
   * take long. Those that could not be published are tried again beside further ones, until they are left to their rows.
   *
   * @param onDone is called with the indices of pieces whose messages are published, not needed any more, or left, in one call
   *   or in several; for some never after `stop`
   */
  publish(pieces: readonly StoredPiece[], onDone: OnDone): void;
  /** Messages that are to be published and have not been tried yet. */
  pending(): number;
  /** Lets no messages wait from now on. */
  hurry(): void;
  stop(): void;
}

export type OnDone = (indices: readonly number[]) => void;

interface PublishingParts {
  readonly enqueue: Enqueue;
  /** Called whenever fewer rows are pending. */
  readonly onRoom: () => void;
  readonly pause: (ms: number) => Promise<void>;
  /** A clock that never steps, in milliseconds. */
  readonly monotonicMs: () => number;
  readonly log: Log;
}

/** How long the message of a row that is handed over waits for the end of its attempt, at least; at most twice as long. */
const GATHER_MS = 500;

/** A piece whose messages are neither all published nor left. */
interface OpenPiece {
  readonly index: number;
  readonly onDone: OnDone;
  /** Its messages that are not done. */
  messages: number;
}

/** A message without its row. Rows that waited, too, would outlive their attempts, and all of them would get old in memory. */
interface Waiting {
  readonly queued: Queued;
  readonly piece: OpenPiece;
}

/** The messages of pieces that are added while others are being published are published together. */
export function createPublishing(parts: PublishingParts): Publishing {
  const { enqueue, onRoom } = parts;
  let pending = 0;
  /** Messages of rows that are handed over: those that were added since the last tick, and those before. */
  let recent = new Set<Waiting>();
  let older = new Set<Waiting>();
  let timer: NodeJS.Timeout | null = null;
  let isHurrying = false;
  const late = createLateMessages<Waiting>({
    ...parts,
    enqueue: (messages) => enqueue(messages.map(({ queued }) => queued)),
    onDone: end,
  });
  const publishAll = coalesce(async (batches: readonly (readonly Waiting[])[]) => {
    const messages = batches.flat();
    const { appended, left, error } = await tryOnce(messages);
    pending -= messages.length;
    end(appended);
    if (left.length > 0) late.add(left, error);
    onRoom();
  });
  const tryOnce = async (messages: readonly Waiting[]) => {
    try {
      await enqueue(messages.map(({ queued }) => queued));
      return { appended: messages, left: [], error: null };
    } catch (error) {
      return { ...divideByAppended(messages, error), error };
    }
  };
  const publishNow = (messages: readonly Waiting[]) => {
    if (messages.length === 0) return;
    pending += messages.length;
    void publishAll(messages);
  };
  const tick = () => {
    const due = older;
    older = recent;
    recent = new Set();
    timer = older.size > 0 ? setTimeout(tick, GATHER_MS) : null;
    publishNow([...due]);
  };
  const wait = (message: Waiting, handedOver: HandedOver) => {
    recent.add(message);
    timer ??= setTimeout(tick, GATHER_MS);
    handedOver.onEnded = () => {
      if (recent.delete(message) || older.delete(message)) end([message]);
    };
  };
  return {
    publish(pieces, onDone) {
      const without: number[] = [];
      const urgent: Waiting[] = [];
      for (const [index, { event, rows, handedOver }] of pieces.entries()) {
        const piece: OpenPiece = { index, onDone, messages: 0 };
        for (const { row } of rows) {
          const taken = handedOver.get(row.id);
          if (taken?.hasEnded) continue;
          piece.messages += 1;
          const message = { queued: { topic: DELIVERIES_TOPIC, message: messageOf(event, row) }, piece };
          if (taken === undefined || isHurrying) urgent.push(message);
          else wait(message, taken);
        }
        if (piece.messages === 0) without.push(index);
      }
      if (without.length > 0) onDone(without);
      publishNow(urgent);
    },
    pending: () => pending,
    hurry() {
      isHurrying = true;
      if (timer !== null) clearTimeout(timer);
      publishNow([...older, ...recent]);
      older.clear();
      recent.clear();
    },
    stop: late.stop,
  };
}

/** Messages that are published, not needed any more, or left to their rows. */
function end(messages: readonly Waiting[]): void {
  const done: OpenPiece[] = [];
  for (const { piece } of messages) {
    piece.messages -= 1;
    if (piece.messages === 0) done.push(piece);
  }
  for (const [onDone, pieces] of Map.groupBy(done, (piece) => piece.onDone))
    onDone(pieces.map(({ index }) => index));
}
