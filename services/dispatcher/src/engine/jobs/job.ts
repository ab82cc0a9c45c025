import type { QueueMessage } from '@postrider/shared/ports/queue';
import type { TrackedSource } from '../../offsets/open-offsets.js';
import type { HandedOver } from '../../ports/hand-over.js';
import type { Standing } from '../scheduler/standing.js';

/** One attempt that is due now or later. Duplicates of its message only add their offsets. */
export interface Job {
  readonly key: string;
  readonly message: QueueMessage;
  /** The offsets that are done when the job is; empty while none of its messages has arrived. */
  sources: readonly TrackedSource[];
  /** Whether its offsets were marked as done before it ended. Offsets of later messages are then done at once. */
  isAcknowledged: boolean;
  /** Whether its endpoint was assigned to another process, or to none, for a while since the job was added. */
  hasMoved: boolean;
  /** Ends when the offsets are done; null if its row was not handed over. */
  readonly handedOver: HandedOver | null;
  /** Decided by its endpoint's standing when the job was added. Unproven jobs may use half of the budget. */
  readonly isUnproven: boolean;
  /**
   * waiting: delayed until its row is due, or for a moment with open offsets. postponed: delayed for a moment without open
   * offsets; its row may be due, and a query would find it again. set-aside: the same, for minutes or longer, so its
   * endpoint's other deliveries do not wait for it.
   * queued: waits for a slot. loading: its row is being read. attempted: being sent or settled.
   */
  state: 'waiting' | 'postponed' | 'set-aside' | 'queued' | 'loading' | 'attempted';
}

/** Whether it comes from a replay job. */
export function isReplay({ message }: Job): boolean {
  return message.class === 'replay';
}

/** Whether a job added when its row is stored or its message arrives is unproven: its endpoint seems not to answer. */
export function isUnprovenOnArrival(standing: Standing): boolean {
  return standing === 'silent' || standing === 'suspect';
}

/**
 * Whether a job that is fed from its row is unproven. That includes endpoints of which nothing is known: arrivals are
 * limited by what a workspace sends, but after a restart every endpoint with a backlog is fed, and thousands may not answer.
 */
export function isUnprovenWhenFed(standing: Standing): boolean {
  return standing === 'new' || isUnprovenOnArrival(standing);
}

/** The key of a first attempt is the delivery's id itself: most jobs are first attempts, and each string takes memory. */
export function jobKey({ deliveryId, ordinal }: Pick<QueueMessage, 'deliveryId' | 'ordinal'>): string {
  return ordinal === 1 ? deliveryId : `${deliveryId}:${ordinal}`;
}
