import { NotPublished, type OutboxRecord } from '../ports/outbox.js';
import {
  divideByAppended,
  NotAppended,
  type OutgoingMessage,
  type Publish,
  RecordRefused,
} from '../ports/queue.js';
import type { SchemaCodec } from './schema-registry.js';

/**
 * Encodes outbox records and appends them. Rejects with `RecordRefused` if a record is invalid, and then appends none; with
 * `NotPublished` once it has appended the others if some cannot be encoded or appended now.
 */
export function createOutboxPublisher(publish: Publish, codec: Pick<SchemaCodec, 'encode'>) {
  const encode = async ({ topic, key, headers, subject, value }: OutboxRecord): Promise<OutgoingMessage> => {
    const bytes = subject === null ? JSON.stringify(value) : await codec.encode(subject, value);
    return { topic, key, headers, value: bytes };
  };
  const tryToEncode = (record: OutboxRecord) =>
    encode(record).then(
      (message) => ({ id: record.id, message }),
      (reason: unknown) => ({ id: record.id, reason }),
    );
  return async (records: readonly OutboxRecord[]): Promise<void> => {
    const results = await Promise.all(records.map(tryToEncode));
    const encoded = results.flatMap((result) => ('message' in result ? [result] : []));
    const failures = results.flatMap((result) => ('reason' in result ? [result] : []));
    for (const { reason } of failures) if (reason instanceof RecordRefused) throw reason;
    try {
      if (encoded.length > 0) await publish(encoded.map(({ message }) => message));
    } catch (error) {
      if (!(error instanceof NotAppended)) throw error;
      failures.push(...divideByAppended(encoded, error).left.map(({ id }) => ({ id, reason: error })));
    }
    const [first] = failures;
    if (first !== undefined)
      throw new NotPublished(new Set(failures.map(({ id }) => id)), { cause: first.reason });
  };
}
