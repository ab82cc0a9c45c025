import type { OutboxRecord } from '../ports/outbox.js';

/** Maximum number of JSON characters in the values of one batch: a broker refuses batches of more than 1 MiB by default. */
export const MAX_BATCH_SIZE = 512 * 1_024;

/** The number of JSON characters in a record's value, up to half a million. */
export function sizeOf({ value }: OutboxRecord): number {
  return JSON.stringify(value).length;
}

/** Divides records into batches that a broker accepts, in their order. A record that is larger is a batch of its own. */
export function divideBySize(records: readonly OutboxRecord[]): readonly (readonly OutboxRecord[])[] {
  const batches: OutboxRecord[][] = [];
  let room = 0;
  for (const record of records) {
    const size = sizeOf(record);
    if (batches.length === 0 || size > room) {
      batches.push([]);
      room = MAX_BATCH_SIZE;
    }
    batches.at(-1)?.push(record);
    room -= size;
  }
  return batches;
}
