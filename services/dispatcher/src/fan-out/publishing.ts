import type { Log } from '@postrider/shared/ports/log';
import type { Enqueue, Queued } from '@postrider/shared/ports/queue';
import { DELIVERIES_TOPIC } from '@postrider/shared/ports/topics';
import { coalesce } from '@postrider/shared/runtime/coalesce';
import { retry } from '@postrider/shared/runtime/retry';
import type { Piece } from './fill-chunk.js';
import { messageOf } from './message-of.js';

/** A piece whose rows are stored. */
export interface StoredPiece extends Piece {
  /** The first attempts of all its rows start without their messages. */
  readonly isHandedOver: boolean;
}

/** Publishes the messages of stored rows. */
export interface Publishing {
  /**
   * Resolves once all messages are published, in the order of calls and however long the broker is unavailable. Rejects only
   * after `stop`. The messages of pieces that are handed over may wait for others.
   */
  publish(pieces: readonly StoredPiece[]): Promise<void>;
  /** Rows whose messages are not published yet. */
  pending(): number;
  /** Lets no messages wait from now on. */
  hurry(): void;
  stop(): void;
}

interface PublishingParts {
  readonly enqueue: Enqueue;
  readonly pause: (ms: number) => Promise<void>;
  readonly log: Log;
}

/** How long the messages of rows whose attempts need them no longer may wait for others, in milliseconds. */
const GATHER_MS = 500;
const GATHERED_ROWS = 100;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;

/** Messages that are published together. */
interface Batch {
  readonly queued: Queued[];
  readonly published: PromiseWithResolvers<void>;
}

const newBatch = (): Batch => ({ queued: [], published: Promise.withResolvers() });

/** The messages of pieces that are added while others are being published are published together. */
export function createPublishing({ enqueue, pause, log }: PublishingParts): Publishing {
  let pending = 0;
  let gathered = newBatch();
  let timer: NodeJS.Timeout | null = null;
  let isHurrying = false;
  let isStopped = false;
  const publishAll = coalesce(async (batches: readonly (readonly Queued[])[]) => {
    const queued = batches.flat();
    if (queued.length === 0) return;
    await retry(() => enqueue(queued), {
      firstPauseMs: FIRST_PAUSE_MS,
      longestPauseMs: LONGEST_PAUSE_MS,
      onFailure(err, _, pauseMs) {
        if (isStopped) throw err;
        log.warn(
          { event: 'fan_out.failed', err },
          `the messages of stored deliveries could not be published; trying again in ${pauseMs} ms`,
        );
      },
      pause,
    });
  });
  const flush = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const { queued, published } = gathered;
    gathered = newBatch();
    void publishAll(queued)
      .then(() => {
        pending -= queued.length;
      })
      .then(published.resolve, published.reject);
  };
  return {
    publish(pieces) {
      // Messages only: rows that waited with them would outlive their attempts, and all of them would get old in memory.
      const messages = pieces.flatMap(messagesOf);
      pending += messages.length;
      for (const message of messages) gathered.queued.push(message);
      const { queued, published } = gathered;
      const mayWait = !isHurrying && pieces.every(({ isHandedOver }) => isHandedOver);
      // What was gathered before is published with the others, so that the order of calls is kept.
      if (!mayWait || queued.length === 0 || queued.length >= GATHERED_ROWS) flush();
      else timer ??= setTimeout(flush, GATHER_MS);
      return published.promise;
    },
    pending: () => pending,
    hurry() {
      isHurrying = true;
      if (timer !== null) flush();
    },
    stop() {
      isStopped = true;
    },
  };
}

function messagesOf({ event, rows }: Piece): Queued[] {
  return rows.map(({ row }) => ({ topic: DELIVERIES_TOPIC, message: messageOf(event, row) }));
}
