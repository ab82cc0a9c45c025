/** A transaction that was aborted, and of which a fetch may contain records. */
export interface AbortedTransaction {
  readonly producerId: string;
  readonly firstOffset: string;
}

/** The fields of a fetched record that decide whether its transaction was aborted. */
export interface FetchedRecord {
  readonly offset: string;
  readonly key: Buffer | null;
  readonly isControlRecord: boolean;
  readonly batchContext: { readonly producerId: string; readonly inTransaction: boolean };
}

/** The key of a control record has a version and a type: https://kafka.apache.org/documentation/#controlbatch */
const TYPE_OFFSET = 2;
const KEY_BYTES = 4;
const ABORT = 0;

/**
 * Finds the records of aborted transactions, as Kafka's own consumer does. A transaction begins at its first offset, and ends
 * with the abort marker of its producer.
 *
 * @param records in the order of their offsets
 * @param transactions in any order; brokers list them in the order of their markers
 */
export function findAborted<Fetched extends FetchedRecord>(
  records: readonly Fetched[],
  transactions: readonly AbortedTransaction[],
): readonly Fetched[] {
  const coming = transactions
    .map(({ producerId, firstOffset }) => ({ producerId, from: Number(firstOffset) }))
    .sort((one, other) => one.from - other.from);
  const aborting = new Set<string>();
  let begun = 0;
  return records.filter((record) => {
    const { producerId, inTransaction } = record.batchContext;
    const offset = Number(record.offset);
    for (let next = coming[begun]; next !== undefined && next.from <= offset; next = coming[begun]) {
      aborting.add(next.producerId);
      begun += 1;
    }
    if (isAbortMarker(record)) aborting.delete(producerId);
    return inTransaction && !record.isControlRecord && aborting.has(producerId);
  });
}

/** Other records may have the same key. */
function isAbortMarker({ isControlRecord, key }: FetchedRecord): boolean {
  if (!isControlRecord || key === null || key.length < KEY_BYTES) return false;
  return key.readInt16BE(TYPE_OFFSET) === ABORT;
}
