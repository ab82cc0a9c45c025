import type { Log } from '../ports/log.js';
import { type Publish, RecordRefused } from '../ports/queue.js';
import { QUARANTINE_TOPIC } from '../ports/topics.js';
import { traceIdOf } from '../runtime/trace.js';
import type { ReadRecord } from './read-record.js';

/** Publishes an unreadable message to the quarantine topic, unchanged and with the reason, so that its partition continues. */
export type Quarantine = (record: ReadRecord, reason: string) => Promise<void>;

/** Maximum length of a reason, which may quote the message, in characters. */
const REASON_CHARACTERS = 500;

export function createQuarantine(publish: Publish, log: Log): Quarantine {
  return async ({ topic, partition, offset, key, value, headers, rawHeaders }, fullReason) => {
    const reason = fullReason.slice(0, REASON_CHARACTERS);
    const origin = {
      'origin-topic': topic,
      'origin-partition': String(partition),
      'origin-offset': String(offset),
      reason,
    };
    try {
      await publish([{ topic: QUARANTINE_TOPIC, key, value, headers: { ...rawHeaders, ...origin } }]);
    } catch (error) {
      if (!(error instanceof RecordRefused)) throw error;
      // A message that arrived compressed can be too large to publish. Its origin headers locate it.
      const headers = { ...origin, 'left-out': error.message };
      await publish([{ topic: QUARANTINE_TOPIC, key: null, value: null, headers }]);
    }
    log.error(
      { event: 'quarantined', topic, partition, offset, reason, traceId: traceIdOf(headers.traceparent) },
      'a message could not be read and was put on webhook.quarantine: correct its producer',
    );
  };
}
