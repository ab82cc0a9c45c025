import { BY_DUE_TIME, type Collections } from '@postrider/shared/mongo/collections';
import type { Document } from 'mongodb';
import { ANSWER_WITHIN_MS } from '../domain/answer-within.js';
import type { PageOptions } from './bounded-read.js';
import type { DeliveryQuery } from './delivery-query.js';

interface DueList extends Pick<Collections, 'deliveries'> {
  readonly sort: Readonly<Record<string, -1>>;
  readonly maxRowsRead: number;
}

/**
 * Uses the index of due rows, which has another order than the list: all due rows are read and sorted, if they are few. So
 * a few pending deliveries are found among millions at once.
 *
 * @returns a function that reads the rows of a page; null if more rows are due than may be read
 */
export function createDueRead<Found extends Document>({ deliveries, sort, maxRowsRead }: DueList) {
  const options = { hint: BY_DUE_TIME, maxTimeMS: ANSWER_WITHIN_MS };
  return async ({ indexed, others, due, limit, stages }: DeliveryQuery & PageOptions) => {
    if (due === null) return null;
    const count = await deliveries.countDocuments(due, { ...options, limit: maxRowsRead + 1 });
    if (count > maxRowsRead) return null;
    const conditions = { $match: { ...indexed, ...others, ...due } };
    const pipeline = [conditions, { $sort: sort }, { $limit: limit }, ...stages];
    return { rows: await deliveries.aggregate<Found>(pipeline, options).toArray(), bound: null };
  };
}
