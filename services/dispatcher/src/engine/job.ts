import type { QueueMessage } from '@postrider/shared/ports/queue';

/** Where a message stands: topic without prefix. */
export interface Source {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
}

/** One attempt that has to be made, or found unnecessary. Copies of its message only attach their offsets. */
export interface Job {
  readonly key: string;
  readonly message: QueueMessage;
  /** The offsets that are done when the job is; none when the job was fed from its row. */
  readonly sources: Source[];
  /** waiting: for its time. queued: for a slot. running: being read, sent or settled. */
  state: 'waiting' | 'queued' | 'running';
}

export function jobKey({ deliveryId, ordinal }: Pick<QueueMessage, 'deliveryId' | 'ordinal'>): string {
  return `${deliveryId}:${ordinal}`;
}
