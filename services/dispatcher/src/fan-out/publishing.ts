import type { Log } from '@postrider/shared/ports/log';
import { divideByAppended, type Enqueue, type Queued } from '@postrider/shared/ports/queue';
import { DELIVERIES_TOPIC } from '@postrider/shared/ports/topics';
import { coalesce } from '@postrider/shared/runtime/coalesce';
import type { Piece } from './fill-chunk.js';
import { createLateMessages } from './late-messages.js';
import { messageOf } from './message-of.js';

/** A piece whose rows are stored. */
export interface StoredPiece extends Piece {
  /** The first attempts of all its rows start without their messages. */
  readonly isHandedOver: boolean;
}

/** Publishes the messages of stored rows. */
export interface Publishing {
  /**
   * Publishes in the order of calls what can be published. The messages of pieces that are handed over may wait for others, and
   * those that could not be published are tried again beside further ones, until they are left to their rows.
   *
   * @param onDone is called with the indices of pieces whose messages are published or left, in one call or in several; for some
   *   never after `stop`
   */
  publish(pieces: readonly StoredPiece[], onDone: OnDone): void;
  /** Rows whose messages have not been tried yet. */
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

/** How long the messages of rows whose attempts need them no longer may wait for others, in milliseconds. */
const GATHER_MS = 500;
const GATHERED_ROWS = 100;

/** One call of `publish`. */
interface Call {
  /** The messages of each piece that are neither published nor left. A piece that is done is removed. */
  readonly open: Map<number, number>;
  readonly onDone: OnDone;
}

/** A message without its row. Rows that waited, too, would outlive their attempts, and all of them would get old in memory. */
interface Waiting {
  readonly queued: Queued;
  readonly call: Call;
  readonly piece: number;
}

/** Messages that are published together, and the calls they are of. */
interface Batch {
  readonly messages: Waiting[];
  readonly calls: Call[];
}

const newBatch = (): Batch => ({ messages: [], calls: [] });

/** The messages of pieces that are added while others are being published are published together. */
export function createPublishing(parts: PublishingParts): Publishing {
  const { enqueue, onRoom } = parts;
  let pending = 0;
  let gathered = newBatch();
  let timer: NodeJS.Timeout | null = null;
  let isHurrying = false;
  const late = createLateMessages<Waiting>({
    ...parts,
    enqueue: (messages) => enqueue(messages.map(({ queued }) => queued)),
    onDone(messages) {
      messages.forEach(count);
      for (const call of new Set(messages.map((message) => message.call))) report(call);
    },
  });
  const publishAll = coalesce(async (batches: readonly Batch[]) => {
    const messages = batches.flatMap((batch) => batch.messages);
    const { appended, left, error } = await tryOnce(messages);
    pending -= messages.length;
    appended.forEach(count);
    for (const { calls } of batches) calls.forEach(report);
    if (left.length > 0) late.add(left, error);
    onRoom();
  });
  const tryOnce = async (messages: readonly Waiting[]) => {
    try {
      if (messages.length > 0) await enqueue(messages.map(({ queued }) => queued));
      return { appended: messages, left: [], error: null };
    } catch (error) {
      return { ...divideByAppended(messages, error), error };
    }
  };
  const flush = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    void publishAll(gathered);
    gathered = newBatch();
  };
  return {
    publish(pieces, onDone) {
      const call: Call = { open: new Map(), onDone };
      gathered.calls.push(call);
      for (const [piece, { event, rows }] of pieces.entries()) {
        call.open.set(piece, rows.length);
        pending += rows.length;
        for (const { row } of rows) {
          const queued = { topic: DELIVERIES_TOPIC, message: messageOf(event, row) };
          gathered.messages.push({ queued, call, piece });
        }
      }
      const { length } = gathered.messages;
      const mayWait = !isHurrying && pieces.every(({ isHandedOver }) => isHandedOver);
      // What was gathered before is published with the others, so that the order of calls is kept.
      if (!mayWait || length === 0 || length >= GATHERED_ROWS) flush();
      else timer ??= setTimeout(flush, GATHER_MS);
    },
    pending: () => pending,
    hurry() {
      isHurrying = true;
      if (timer !== null) flush();
    },
    stop: late.stop,
  };
}

function count({ call, piece }: Waiting): void {
  call.open.set(piece, (call.open.get(piece) ?? 0) - 1);
}

function report({ open, onDone }: Call): void {
  const done = [...open].flatMap(([piece, messages]) => (messages === 0 ? [piece] : []));
  for (const piece of done) open.delete(piece);
  if (done.length > 0) onDone(done);
}
