import type { EndpointId } from '@postrider/shared/domain/id';
import type { Step } from './progress.js';
import type { ReadEvent } from './read-event.js';

/** What ends a fan-out. It does not refer to the event, because messages wait for others longer than attempts take. */
export interface Completion {
  /** The rows of all subscribers are stored. */
  isPlanned: boolean;
  /** Pieces whose messages are neither all published nor left to their rows. */
  unpublished: number;
  /** The pieces of a large event from the first one on that is counted there. */
  readonly steps: Step[];
  /** Called once all rows are stored and no first attempt waits for a message that is not published. */
  readonly queued: () => void;
  /** Called once all rows are stored, and all messages are published, not needed any more, or left to their rows. */
  readonly done: () => void;
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
  readonly completion: Completion;
  /** Counts the events in their order in the ring. */
  arrival: number;
  /** The rows of all subscribers up to this one are stored; null before the first. */
  after: EndpointId | null;
  /** Its subscribers did not fit into one page, so its progress is stored. */
  isLarge: boolean;
  /** A delivery of it is stored, or may be stored by an earlier fan-out. */
  isMatched: boolean;
  /** Pieces whose first attempts wait for messages that are not published yet. */
  unqueued: number;
  /** How often its rows alone could not be stored. */
  failures: number;
}
