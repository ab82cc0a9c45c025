import type { FanOutProgress, FanOutStore } from '@postrider/shared/ports/fan-out';
import type { Log } from '@postrider/shared/ports/log';
import type { Piece } from './fill-chunk.js';
import type { OpenEvent } from './open-event.js';

/**
 * The progress of events with more than one page of subscribers is stored after each chunk, so that another process goes
 * on after the last finished chunk. Without it chunks are only repeated, which changes nothing for receivers: that is why a
 * failure to store it is no failure of the event.
 */
export interface Progress {
  /** Sets events that another process has begun to where it stopped. @returns those that it completed */
  restore(events: readonly OpenEvent[]): Promise<readonly OpenEvent[]>;
  /** How far pieces have come, by event. */
  reachedBy(pieces: readonly Piece[]): Reached;
  /** Stores how far published pieces have come. */
  save(reached: Reached): Promise<void>;
}

export type Reached = ReadonlyMap<string, FanOutProgress>;

interface ProgressParts {
  readonly store: Pick<FanOutStore, 'progressOf' | 'saveProgress'>;
  readonly log: Log;
}

export function createProgress({ store, log }: ProgressParts): Progress {
  return {
    async restore(events) {
      if (events.length === 0) return [];
      const found = await store.progressOf(events.map(({ event }) => event.payload.eventId));
      for (const event of events) {
        event.isLarge = true;
        const stored = found.get(event.event.payload.eventId);
        if (stored === undefined) continue;
        event.after = stored.after;
        event.completion.isPlanned = stored.isComplete;
      }
      return events.filter(({ completion }) => completion.isPlanned);
    },
    reachedBy(pieces) {
      const latest = new Map<string, FanOutProgress>();
      for (const { event, after, isLast } of pieces)
        if (event.isLarge && after !== null)
          latest.set(event.event.payload.eventId, { after, isComplete: isLast });
      return latest;
    },
    async save(reached) {
      if (reached.size === 0) return;
      await store
        .saveProgress(reached)
        .catch((err: unknown) =>
          log.warn({ event: 'fan_out.progress', err }, 'the progress of an event was not stored'),
        );
    },
  };
}
