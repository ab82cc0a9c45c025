import type { Log } from '@postrider/shared/ports/log';
import { type Enqueue, firstMessage, type Queued } from '@postrider/shared/ports/queue';
import { DELIVERIES_TOPIC } from '@postrider/shared/ports/topics';
import { coalesce } from '@postrider/shared/runtime/coalesce';
import { retry } from '@postrider/shared/runtime/retry';
import type { Piece } from './fill-chunk.js';

/** Publishes the messages of stored rows. */
export interface Publishing {
  /**
   * Resolves once all messages are published, in the order of calls and however long the broker is unavailable. Rejects only
   * after `stop`.
   */
  publish(pieces: readonly Piece[]): Promise<void>;
  /** Rows whose messages are not published yet. */
  pending(): number;
  stop(): void;
}

interface PublishingParts {
  readonly enqueue: Enqueue;
  readonly pause: (ms: number) => Promise<void>;
  readonly log: Log;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;

/** Pieces that are added while others are being published are published together. */
export function createPublishing({ enqueue, pause, log }: PublishingParts): Publishing {
  let pending = 0;
  let isStopped = false;
  const publishAll = coalesce(async (batches: readonly (readonly Piece[])[]) => {
    const queued = batches.flat().flatMap(messagesOf);
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
  return {
    async publish(pieces) {
      const rows = pieces.reduce((sum, piece) => sum + piece.rows.length, 0);
      pending += rows;
      await publishAll(pieces);
      pending -= rows;
    },
    pending: () => pending,
    stop() {
      isStopped = true;
    },
  };
}

function messagesOf({ event: { spanId }, rows }: Piece): Queued[] {
  return rows.map((row) => {
    const message = firstMessage(row);
    return {
      topic: DELIVERIES_TOPIC,
      message: spanId === null ? message : { ...message, parentSpanId: spanId },
    };
  });
}
