import { expect } from 'chai';
import { type FetchedPartition, openBatch } from '../../src/kafka/client-cluster.js';
import { patchFetch } from '../../src/kafka/skip-aborted.js';
import { UnknownInternals } from '../../src/runtime/client-internals.js';

const MARKER = Buffer.from([0, 0, 0, 0]);

const aRecord = (offset: number, producerId: string, isControlRecord = false) => ({
  offset: String(offset),
  timestamp: '0',
  key: isControlRecord ? MARKER : null,
  value: Buffer.from('value'),
  headers: {},
  isControlRecord,
  batchContext: { producerId, inTransaction: true },
});

/** The batch of a fetch that brings a partition. */
async function fetchThrough(partition: object) {
  class Broker {
    readonly lookupRequest = () => ({ responses: [{ partitions: [{ partition: 0, ...partition }] }] });
    async fetch(_request: object): Promise<{ responses: { partitions: FetchedPartition[] }[] }> {
      return this.lookupRequest();
    }
  }
  patchFetch(Broker);
  const { responses } = await new Broker().fetch({});
  return openBatch('events', 0, responses[0]!.partitions[0]!);
}

describe('a fetch of the Kafka client', () => {
  it('passes on no record of overlapping aborted transactions, and counts their offsets', async () => {
    const batch = await fetchThrough({
      messages: [
        aRecord(0, '1'),
        aRecord(1, '2'),
        aRecord(2, '1'),
        aRecord(3, '2', true),
        aRecord(4, '1'),
        aRecord(5, '3'),
        aRecord(6, '1', true),
      ],
      abortedTransactions: [
        { producerId: '2', firstOffset: '1' },
        { producerId: '1', firstOffset: '0' },
      ],
    });
    expect(batch.messages.map(({ offset }) => offset)).to.deep.equal(['5']);
    expect(batch.rawMessages).to.have.length(7);
  });

  it('passes on everything without aborted transactions', async () => {
    for (const abortedTransactions of [[], null, undefined]) {
      const batch = await fetchThrough({ messages: [aRecord(0, '1'), aRecord(1, '2')], abortedTransactions });
      expect(batch.messages).to.have.length(2);
    }
  });

  it('rejects a class without its method', () => {
    expect(() => patchFetch(class {})).to.throw(UnknownInternals, 'fetch()');
  });
});
