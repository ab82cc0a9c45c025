import { NotEncoded, type OutboxRecord } from '../ports/outbox.js';
import { type OutgoingMessage, type Publish, RecordRefused } from '../ports/queue.js';
import type { SchemaCodec } from './schema-registry.js';

/**
 * Encodes outbox records and appends them. Rejects with `RecordRefused` if a record is invalid, and then appends none; with
 * `NotEncoded` once it has appended the others if some cannot be encoded now.
 */
export function createOutboxPublisher(publish: Publish, codec: Pick<SchemaCodec, 'encode'>) {
  const encode = async ({ topic, key, headers, subject, value }: OutboxRecord): Promise<OutgoingMessage> => {
    const bytes = subject === null ? JSON.stringify(value) : await codec.encode(subject, value);
    return { topic, key, headers, value: bytes };
  };
  const tryToEncode = (record: OutboxRecord) =>
    encode(record).then(
      (message) => ({ message }),
      (reason: unknown) => ({ id: record.id, reason }),
    );
  return async (records: readonly OutboxRecord[]): Promise<void> => {
    const results = await Promise.all(records.map(tryToEncode));
    const messages = results.flatMap((result) => ('message' in result ? [result.message] : []));
    const failures = results.flatMap((result) => ('reason' in result ? [result] : []));
    for (const { reason } of failures) if (reason instanceof RecordRefused) throw reason;
    if (messages.length > 0) await publish(messages);
    const [first] = failures;
    if (first !== undefined)
      throw new NotEncoded(new Set(failures.map(({ id }) => id)), { cause: first.reason });
  };
}
