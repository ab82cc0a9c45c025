import { MAX_LIMIT } from '@postrider/shared/domain/page';
import type { Collections, DeliveryDocument } from '@postrider/shared/mongo/collections';
import { createPayloadReads } from './payload-reads.js';

/** Maximum size of the payloads of one page, in bytes, both as stored and as JSON. */
const MAX_BYTES = 4 * 1_024 * 1_024;
/** A payload up to this size, in bytes, is read with its row: together those of the largest page are within the maximum. */
const READ_WITH_ROW_BYTES = Math.floor(MAX_BYTES / (MAX_LIMIT + 1));
/** The most bytes of JSON for one stored byte: a control character is escaped as `\u0001`. */
const JSON_BYTES_PER_STORED = 6;

/** A row of a page. Its payload is not read yet if it is large. */
export type PageRow = Omit<DeliveryDocument, 'payload' | 'records'> &
  Partial<Pick<DeliveryDocument, 'payload'>> & { readonly payloadBytes: number };

/** The stages that turn deliveries into rows of a page. */
export const PAGE_ROW_STAGES = [
  { $project: { records: 0 } },
  { $set: { payloadBytes: { $bsonSize: '$payload' } } },
  {
    $set: { payload: { $cond: [{ $lte: ['$payloadBytes', READ_WITH_ROW_BYTES] }, '$payload', '$$REMOVE'] } },
  },
];

export interface BoundedPage {
  readonly rows: readonly DeliveryDocument[];
  /** The last row that was read if others were left out, or if one has expired meanwhile; null otherwise. */
  readonly cutAt: string | null;
}

/** Completes the first rows of a page whose payloads are within the maximum together, but at least one. */
export function createPagePayloads(collections: Pick<Collections, 'deliveries'>) {
  const payloadsOf = createPayloadReads(collections);
  return async (rows: readonly PageRow[]): Promise<BoundedPage> => {
    const read = firstWithin(rows, ({ payloadBytes }) => payloadBytes);
    const large = read.filter(({ payload }) => payload === undefined);
    const payloads = await payloadsOf(large.map(({ _id }) => _id));
    const complete = read.map((row) => ({ ...row, payload: row.payload ?? payloads.get(row._id) }));
    const shown = mayExceedAsJson(read)
      ? firstWithin(complete, ({ payload }) => Buffer.byteLength(JSON.stringify(payload ?? null)))
      : complete;
    // A row that expired meanwhile no longer has a payload.
    const page = shown.flatMap(({ payloadBytes: _, payload, ...row }) =>
      payload === undefined ? [] : { ...row, payload: payload as DeliveryDocument['payload'] },
    );
    // Callers see by the number of rows whether there are more.
    return { rows: page, cutAt: page.length < rows.length ? (shown.at(-1)?._id ?? null) : null };
  };
}

function mayExceedAsJson(rows: readonly PageRow[]): boolean {
  const stored = rows.reduce((sum, { payloadBytes }) => sum + payloadBytes, 0);
  return stored * JSON_BYTES_PER_STORED > MAX_BYTES;
}

/** The first rows whose sizes are within the maximum together, but at least one. */
function firstWithin<Row>(rows: readonly Row[], bytesOf: (row: Row) => number): readonly Row[] {
  let sum = 0;
  const end = rows.findIndex((row, index) => {
    sum += bytesOf(row);
    return index > 0 && sum > MAX_BYTES;
  });
  return end === -1 ? rows : rows.slice(0, end);
}
