import type { EndpointId } from '@postrider/shared/domain/id';
import type { Checkpoint } from './progress.js';
import type { ReadEvent } from './read-event.js';

/** The state that ends a fan-out. It does not refer to the event, because messages are gathered for longer than attempts take. */
export interface Completion {
  /** The rows of all subscribers that are not damaged are stored. */
  isPlanned: boolean;
  /** Pieces whose messages are neither all published nor left to their rows. */
  unpublished: number;
  /** The checkpoints of a large event, from the first one on that is not reached; empty for other events. */
  readonly checkpoints: Checkpoint[];
  /** Called once all rows are stored and no first attempt waits for a message that is not published. */
  readonly queued: () => void;
  /** The first subscriber that was damaged, so that its row could not be planned. */
  damaged: EndpointId | null;
  /** Called once all rows are stored, and all messages are published, no longer needed, or left to their rows. */
  readonly done: () => void;
  /** Called instead if a subscriber is damaged. Fanned out again, the event gets the rows that are missing. */
  readonly incomplete: (damaged: EndpointId) => void;
}

/** An event that is being fanned out. */
export interface OpenEvent {
  readonly event: ReadEvent;
  /** The size of its value, in bytes. */
  readonly bytes: number;
  /** When it was read, in milliseconds of a monotonic clock. */
  readonly readAt: number;
  /** The span of its fan-out, if tracing is on. */
  readonly spanId: string | null;
  /** False once its partition belongs to another process. */
  readonly isWanted: () => boolean;
  /** Whether it is fanned out again only for its damaged subscribers. */
  readonly isRepeated: boolean;
  readonly completion: Completion;
  /** Counts the events in their order in the ring. */
  arrival: number;
  /** The rows of all subscribers up to this one are stored; null before the first. */
  after: EndpointId | null;
  /** Whether its subscribers did not fit into one page, so that its progress is stored. */
  isLarge: boolean;
  /** Whether a delivery of it is stored, or may have been stored by an earlier fan-out. */
  isMatched: boolean;
  /** Pieces whose first attempts wait for messages that are not published yet. */
  unqueued: number;
  /** How often its rows could not be stored even alone. */
  failures: number;
  /**
   * Whether the messages of rows that are stored already need not be published: an earlier fan-out in this process has published
   * them or left them to their rows. False once an insert failed, which may have stored rows.
   */
  areMessagesDone: boolean;
}

/** An event to fan out. */
export type NewEvent = Pick<OpenEvent, 'event' | 'bytes' | 'isWanted' | 'isRepeated'> &
  Pick<Completion, 'queued' | 'done' | 'incomplete'>;

/** The state of an event of which nothing is stored yet. */
export function openEvent(
  { event, queued, done, incomplete, ...rest }: NewEvent,
  readAt: number,
  spanId: string | null,
): OpenEvent {
  return {
    event,
    ...rest,
    completion: {
      isPlanned: false,
      unpublished: 0,
      checkpoints: [],
      damaged: null,
      queued,
      done,
      incomplete,
    },
    readAt,
    spanId,
    arrival: 0,
    after: null,
    isLarge: false,
    isMatched: false,
    unqueued: 0,
    failures: 0,
    areMessagesDone: rest.isRepeated,
  };
}

/** The rows of all subscribers up to a place are stored, here or by another process. */
export function advanceTo(
  event: OpenEvent,
  { after, isLast }: { readonly after: EndpointId | null; readonly isLast: boolean },
): void {
  event.after = after;
  event.completion.isPlanned = isLast;
}

/** The rows of a piece are stored, and its messages are about to be published. */
export function beginPiece(event: OpenEvent): void {
  event.completion.unpublished += 1;
  event.unqueued += 1;
}

/** No first attempt of a piece waits for a message any longer. @returns whether that holds for the whole event */
export function endQueueing(event: OpenEvent): boolean {
  event.unqueued -= 1;
  return event.completion.isPlanned && event.unqueued === 0;
}

/** The messages of a piece are published, no longer needed, or left to their rows. Reports the same for the whole event. */
export function endPublishing(completion: Completion): void {
  completion.unpublished -= 1;
  if (!completion.isPlanned || completion.unpublished > 0) return;
  if (completion.damaged === null) completion.done();
  else completion.incomplete(completion.damaged);
}
