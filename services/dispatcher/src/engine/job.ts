import type { QueueMessage } from '@postrider/shared/ports/queue';

/** The position of a message in Kafka. The topic is without prefix. */
export interface Source {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

/** One attempt that is due now or later. Duplicates of its message only add their offsets. */
export interface Job {
  readonly key: string;
  readonly message: QueueMessage;
  /** The offsets that are done when the job is; empty for a job that was fed from its row. */
  readonly sources: Source[];
  /** waiting: not due yet. queued: waits for a slot. running: being read, sent or settled. */
  state: 'waiting' | 'queued' | 'running';
}

export function jobKey({ deliveryId, ordinal }: Pick<QueueMessage, 'deliveryId' | 'ordinal'>): string {
  return `${deliveryId}:${ordinal}`;
}
