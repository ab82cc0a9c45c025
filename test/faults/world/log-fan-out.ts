import { appendFileSync } from 'node:fs';
import { Collection, type Document, MongoBulkWriteError } from 'mongodb';
import type { FanOutLine } from './fan-out-log.js';

/*
 * Loaded into a dispatcher before its own code (node --import). Appends a line to the file that FAN_OUT_LOG names for each read
 * of progress, each chunk and each stored progress. The database keeps no trace of rows that were not stored because they
 * existed, and a process that is killed takes its metrics with it.
 */

const { FAN_OUT_LOG: file = '' } = process.env;
const DUPLICATE_KEY = 11_000;
type Entry = FanOutLine extends infer Line
  ? Line extends FanOutLine
    ? Omit<Line, 'at' | 'pid'>
    : never
  : never;

const write = (entry: Entry) => {
  if (file !== '')
    appendFileSync(file, `${JSON.stringify({ at: Date.now(), pid: process.pid, ...entry })}\n`);
};

const { find, insertMany, bulkWrite } = Collection.prototype;

Collection.prototype.find = function (this: Collection, ...args: Parameters<typeof find>) {
  const [filter] = args as unknown as [{ _id?: { $in?: readonly string[] } } | undefined];
  if (this.collectionName === 'fan_out_progress')
    for (const event of filter?._id?.$in ?? []) write({ kind: 'read', event });
  return find.apply(this, args);
} as typeof find;

Collection.prototype.insertMany = async function (this: Collection, ...args: Parameters<typeof insertMany>) {
  if (this.collectionName !== 'deliveries') return insertMany.apply(this, args);
  const existing = new Set<number>();
  try {
    return await insertMany.apply(this, args);
  } catch (error) {
    if (error instanceof MongoBulkWriteError)
      for (const { code, index } of [error.writeErrors].flat())
        if (code === DUPLICATE_KEY) existing.add(index);
    throw error;
  } finally {
    writeChunk(args[0], existing);
  }
};

Collection.prototype.bulkWrite = async function (this: Collection, ...args: Parameters<typeof bulkWrite>) {
  const result = await bulkWrite.apply(this, args);
  if (this.collectionName === 'fan_out_progress')
    for (const { updateOne } of args[0] as readonly Document[])
      write({ kind: 'stored', event: updateOne.filter._id, after: updateOne.update.$max.after });
  return result;
};

/** @param existing the indexes of rows that existed */
function writeChunk(rows: readonly Document[], existing: ReadonlySet<number>): void {
  const events = Map.groupBy(
    rows.entries(),
    ([, { payload, workspaceId }]) => `${payload.eventId} ${workspaceId}`,
  );
  for (const [event, ofEvent] of events) {
    const repeated = ofEvent.filter(([index]) => existing.has(index)).map(([, { endpointId }]) => endpointId);
    write({
      kind: 'chunk',
      event,
      rows: ofEvent.length,
      repeated: repeated.length,
      first: repeated.sort()[0] ?? null,
    });
  }
}
