import { eventKey } from '@postrider/shared/domain/event-key';
import type { FanOutProgress, FanOutStore } from '@postrider/shared/ports/fan-out';
import type { Log } from '@postrider/shared/ports/log';
import type { Piece } from './fill-chunk.js';
import { advanceTo, type Completion, type OpenEvent } from './open-event.js';

/**
 * The progress of events with more than one page of subscribers is stored as their pieces end, so that another process
 * continues after the last piece up to which all have ended. Without it, pieces are only repeated, which changes nothing for
 * receivers, so a failure to store it does not fail the event.
 */
export interface Progress {
  /** Advances events that another process has begun to where it stopped. @returns those that it completed */
  restore(events: readonly OpenEvent[]): Promise<readonly OpenEvent[]>;
  /**
   * Adds the checkpoint at the end of a piece to its event.
   *
   * @returns null if the event is not large, or must be fanned out again from before this piece
   */
  begin(piece: Piece): Checkpoint | null;
  /** Stores the progress of events that have reached checkpoints, and removes these. */
  save(completions: Iterable<Pick<Completion, 'checkpoints'>>): Promise<void>;
}

/** The end of a piece of a large event, and how far the event has come once this piece and all before it have ended. */
export interface Checkpoint {
  readonly eventKey: string;
  readonly progress: FanOutProgress;
  /** Whether the piece has ended. */
  isReached: boolean;
}

interface ProgressParts {
  readonly store: Pick<FanOutStore, 'progressOf' | 'saveProgress'>;
  readonly log: Log;
}

export function createProgress({ store, log }: ProgressParts): Progress {
  return {
    async restore(events) {
      if (events.length === 0) return [];
      const found = await store.progressOf(events.map(({ event }) => eventKey(event.payload)));
      for (const event of events) {
        event.isLarge = true;
        const stored = found.get(eventKey(event.event.payload));
        if (stored !== undefined) advanceTo(event, { after: stored.after, isLast: stored.isComplete });
      }
      return events.filter(({ completion }) => completion.isPlanned);
    },
    begin({ event, after, isLast }) {
      if (!event.isLarge || after === null || event.completion.damaged !== null) return null;
      const key = eventKey(event.event.payload);
      const checkpoint = { eventKey: key, progress: { after, isComplete: isLast }, isReached: false };
      event.completion.checkpoints.push(checkpoint);
      return checkpoint;
    },
    async save(completions) {
      const reached = new Map<string, FanOutProgress>();
      for (const { checkpoints } of completions) {
        for (let first = checkpoints[0]; first?.isReached; first = checkpoints[0]) {
          reached.set(first.eventKey, first.progress);
          checkpoints.shift();
        }
      }
      if (reached.size === 0) return;
      await store
        .saveProgress(reached)
        .catch((err: unknown) =>
          log.warn({ event: 'fan_out.progress', err }, 'the progress of an event was not stored'),
        );
    },
  };
}
