import { MongoBulkWriteError, type WriteError } from 'mongodb';
import { isDatabaseAway } from './database-away.js';

/** What an unordered bulk write has done although the database rejected some of its writes. */
interface PartialWrite {
  readonly result: Pick<MongoBulkWriteError, 'modifiedCount' | 'upsertedCount'>;
  /** By the index of the write. */
  readonly rejected: readonly WriteError[];
}

/** @throws the error of the write, unless the database only rejected documents */
export function partialWrite(error: unknown): PartialWrite {
  if (!(error instanceof MongoBulkWriteError) || isDatabaseAway(error)) throw error;
  const rejected = [error.writeErrors].flat();
  if (rejected.length === 0 || error.result.getWriteConcernError() !== undefined) throw error;
  return { result: error, rejected };
}
