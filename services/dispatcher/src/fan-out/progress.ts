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
  /** Adds a piece to the steps of its event. @returns null if the event is not large */
  begin(piece: Piece): Step | null;
  /** Stores the progress of events whose steps have ended, and removes these steps. */
  save(completions: Iterable<Pick<Completion, 'steps'>>): Promise<void>;
}

/** A piece of a large event, and how far the event has come once it and all pieces before it have ended. */
export interface Step {
  readonly eventKey: string;
  readonly progress: FanOutProgress;
  hasEnded: boolean;
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
      if (!event.isLarge || after === null) return null;
      const key = eventKey(event.event.payload);
      const step = { eventKey: key, progress: { after, isComplete: isLast }, hasEnded: false };
      event.completion.steps.push(step);
      return step;
    },
    async save(completions) {
      const reached = new Map<string, FanOutProgress>();
      for (const { steps } of completions) {
        for (let step = steps[0]; step?.hasEnded; step = steps[0]) {
          reached.set(step.eventKey, step.progress);
          steps.shift();
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
