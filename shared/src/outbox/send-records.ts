import type { Log } from '../ports/log.js';
import { NotPublished, type OutboxRecord, type OutboxStore } from '../ports/outbox.js';
import { RecordRefused } from '../ports/queue.js';
import { traceIdOf } from '../runtime/trace.js';

export interface SendRecordsParts {
  readonly store: Pick<OutboxStore, 'remove' | 'countFailure' | 'setAside'>;
  /** Encodes and appends; rejects with `RecordRefused` if a record is at fault, with `NotPublished` if all but some are. */
  readonly publish: (records: readonly OutboxRecord[]) => Promise<void>;
  readonly log: Log;
}

/** A record that is refused this many times is set aside. */
const MAX_FAILURES = 10;

/** Publishes a batch of outbox records and removes those that are published. */
export function createSendRecords({ store, publish, log }: SendRecordsParts) {
  /** @returns the records that are published: the others wait for the sweep until their claim expires */
  const publishSome = async (records: readonly OutboxRecord[]): Promise<readonly OutboxRecord[]> => {
    try {
      await publish(records);
      return records;
    } catch (error) {
      if (!(error instanceof NotPublished)) throw error;
      const { ids, cause } = error;
      log.warn(
        { event: 'outbox.not_published', count: ids.size, err: cause },
        'records cannot be encoded or appended now; the sweep will retry',
      );
      return records.filter(({ id }) => !ids.has(id));
    }
  };
  /** A batch that is refused is divided until the records at fault are found. */
  const send = async (records: readonly OutboxRecord[]): Promise<void> => {
    try {
      const published = await publishSome(records);
      if (published.length > 0) await store.remove(published.map(({ id }) => id));
    } catch (error) {
      if (!(error instanceof RecordRefused)) throw error;
      const half = Math.floor(records.length / 2);
      if (half > 0) {
        await send(records.slice(0, half));
        return send(records.slice(half));
      }
      for (const record of records) await countFailure(record, error.message);
    }
  };
  const countFailure = async ({ id, headers }: OutboxRecord, reason: string) => {
    const failures = await store.countFailure(id, reason);
    if (failures < MAX_FAILURES) return;
    await store.setAside(id);
    log.error(
      { event: 'outbox.set_aside', outboxId: id, reason, traceId: traceIdOf(headers.traceparent) },
      'a record cannot be published and was set aside in outbox: see reason, then release it',
    );
  };
  return send;
}
