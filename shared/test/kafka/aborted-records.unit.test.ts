import { expect } from 'chai';
import fc from 'fast-check';
import { type FetchedRecord, findAborted } from '../../src/kafka/aborted-records.js';

type Kind = 'data' | 'plain' | 'abort' | 'commit';

const MARKER_TYPES = { abort: 0, commit: 1 };

const markerOf = (type: number) => Buffer.from([0, 0, 0, type]);

function aRecord(
  offset: number,
  producer: number,
  kind: Kind,
  key: Buffer | null = Buffer.from('key'),
): FetchedRecord {
  const isControlRecord = kind === 'abort' || kind === 'commit';
  return {
    offset: String(offset),
    key: isControlRecord ? markerOf(MARKER_TYPES[kind]) : key,
    isControlRecord,
    batchContext: { producerId: kind === 'plain' ? '-1' : String(producer), inTransaction: kind !== 'plain' },
  };
}

const aborted = (producer: number, firstOffset: number) => ({
  producerId: String(producer),
  firstOffset: String(firstOffset),
});

const offsetsOf = (records: readonly FetchedRecord[]) => records.map(({ offset }) => Number(offset));

describe('the records of aborted transactions', () => {
  const [A, B] = [1, 2];

  // Regression: the client waited for the first transaction of the list before it took the second.
  it('are found in transactions that end in another order than they begin', () => {
    const records = [
      aRecord(0, A, 'data'),
      aRecord(1, B, 'data'),
      aRecord(2, A, 'data'),
      aRecord(3, B, 'abort'),
      aRecord(4, A, 'data'),
      aRecord(5, A, 'abort'),
      aRecord(6, A, 'data'),
      aRecord(7, A, 'commit'),
    ];
    expect(offsetsOf(findAborted(records, [aborted(B, 1), aborted(A, 0)]))).to.deep.equal([0, 1, 2, 4]);
  });

  // Regression: the client took one transaction of the list for each record.
  it('are found from the first one of a fetch that begins within two of them', () => {
    const records = [
      aRecord(7, B, 'data'),
      aRecord(8, A, 'data'),
      aRecord(9, B, 'abort'),
      aRecord(10, A, 'abort'),
    ];
    expect(offsetsOf(findAborted(records, [aborted(A, 2), aborted(B, 5)]))).to.deep.equal([7, 8]);
  });

  // Regression: a producer's own key of four zero bytes ended its aborted transaction.
  it('are found after one with the key of an abort marker', () => {
    const records = [aRecord(0, A, 'data', markerOf(0)), aRecord(1, A, 'data'), aRecord(2, A, 'abort')];
    expect(offsetsOf(findAborted(records, [aborted(A, 0)]))).to.deep.equal([0, 1]);
  });

  it('are no control records, and none that their producer sends outside of transactions', () => {
    const records = [aRecord(0, A, 'data'), aRecord(1, A, 'plain', null), aRecord(2, A, 'abort')];
    expect(offsetsOf(findAborted(records, [aborted(A, 0)]))).to.deep.equal([0]);
  });

  it('are those of the transactions that end with an abort marker, wherever a fetch begins', () => {
    const steps = fc.array(
      fc.record({
        producer: fc.integer({ min: 0, max: 3 }),
        kind: fc.constantFrom<Kind>('data', 'data', 'data', 'plain', 'abort', 'commit'),
        key: fc.constantFrom(markerOf(0), Buffer.from('key'), null),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, fc.nat(60), (kinds, from) => {
        const { records, transactions } = aLog(kinds);
        const isAborted = new Set(transactions.flatMap(({ offsets }) => offsets));
        const fetched = records.slice(from);
        // As a broker lists them: those with records in the fetch, in the order of their markers.
        const listed = transactions.filter(({ end }) => end >= from);
        const found = findAborted(
          fetched,
          listed.map(({ producer, offsets }) => aborted(producer, offsets[0]!)),
        );
        expect(offsetsOf(found)).to.deep.equal(offsetsOf(fetched).filter((offset) => isAborted.has(offset)));
      }),
      { numRuns: 1_000 },
    );
  });

  interface Transaction {
    readonly producer: number;
    readonly offsets: number[];
    end: number;
  }

  /** A log whose transactions have all ended, and its aborted transactions in the order of their markers. */
  function aLog(steps: readonly { producer: number; kind: Kind; key: Buffer | null }[]) {
    const records: FetchedRecord[] = [];
    const open = new Map<number, Transaction>();
    const transactions: Transaction[] = [];
    const append = (producer: number, kind: Kind, key: Buffer | null) => {
      const offset = records.length;
      const current = open.get(producer) ?? { producer, offsets: [], end: 0 };
      if ((kind === 'abort' || kind === 'commit') && !open.delete(producer)) return;
      records.push(aRecord(offset, producer, kind, key));
      if (kind === 'data') {
        current.offsets.push(offset);
        open.set(producer, current);
      }
      current.end = offset;
      if (kind === 'abort') transactions.push(current);
    };
    for (const { producer, kind, key } of steps) append(producer, kind, key);
    for (const producer of [...open.keys()]) append(producer, 'commit', null);
    return { records, transactions };
  }
});
