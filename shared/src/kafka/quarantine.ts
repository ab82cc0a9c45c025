import type { Log } from '../ports/log.js';
import type { Publish } from '../ports/queue.js';
import { QUARANTINE_TOPIC } from '../ports/topics.js';
import type { ReadRecord } from './read-record.js';

/** Puts a message aside that cannot be understood, as it was read and with the reason, so that its partition goes on. */
export type Quarantine = (record: ReadRecord, reason: string) => Promise<void>;

export function quarantine(publish: Publish, log: Log): Quarantine {
  return async ({ topic, partition, offset, key, value, headers }, reason) => {
    log.error(
      { event: 'quarantined', topic, partition, offset, reason },
      'a message was put into quarantine',
    );
    const origin = {
      'origin-topic': topic,
      'origin-partition': String(partition),
      'origin-offset': String(offset),
    };
    await publish([{ topic: QUARANTINE_TOPIC, key, value, headers: { ...headers, ...origin, reason } }]);
  };
}
