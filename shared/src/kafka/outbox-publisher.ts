import type { OutboxRecord } from '../ports/outbox.js';
import type { OutgoingMessage, Publish } from '../ports/queue.js';
import type { SchemaCodec } from './schema-registry.js';

/** Encodes outbox records and appends them. Rejects with `RecordRefused` if a record is invalid. */
export function createOutboxPublisher(publish: Publish, codec: Pick<SchemaCodec, 'encode'>) {
  const encode = async ({ topic, key, headers, subject, value }: OutboxRecord): Promise<OutgoingMessage> => {
    const bytes = subject === null ? JSON.stringify(value) : await codec.encode(subject, value);
    return { topic, key, headers, value: bytes };
  };
  return async (records: readonly OutboxRecord[]): Promise<void> =>
    publish(await Promise.all(records.map(encode)));
}
