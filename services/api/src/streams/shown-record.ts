import { once } from '@postrider/shared/domain/once';
import type { StreamRecord } from '../domain/stream-query.js';
import { formatEvent } from './format-event.js';

/**
 * A record as streams show it. The parts that all streams of a workspace share are made once. Ids can be made only during
 * the call that gives the record, because positions advance.
 */
export interface ShownRecord {
  readonly record: StreamRecord;
  readonly id: () => string;
  /** The event without a payload, as it is written. */
  readonly text: () => string;
}

export function showRecord(record: StreamRecord, idOf: () => string): ShownRecord {
  const { name, data } = record;
  const id = once(idOf);
  return { record, id, text: once(() => formatEvent({ name, id: id(), data })) };
}
