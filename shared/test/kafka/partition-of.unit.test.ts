import { expect } from 'chai';
import fc from 'fast-check';
import kafkajs from 'kafkajs';
import { createPartitioner } from '../../src/kafka/partition-of.js';

describe('partition of a key', () => {
  // Computed with the Java client's Utils.toPositive(Utils.murmur2(key)) % count.
  const JAVA = [
    ['whe_01jqz8v9k3', 12, 10],
    ['whe_01jqz8v9k4', 12, 2],
    ['a', 12, 4],
    ['', 12, 9],
    ['grüße', 12, 8],
  ] as const;
  it('is that of the client library for every key', () => {
    const choose = kafkajs.Partitioners.DefaultPartitioner();
    const partitionMetadata = Array.from({ length: 48 }, (_, partitionId) => {
      return { partitionId, leader: 0, replicas: [], isr: [], partitionErrorCode: 0 };
    });
    const partitionOf = createPartitioner(48);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (array) => {
        const key = Buffer.from(array);
        const usual = choose({ topic: '', partitionMetadata, message: { key, value: null } });
        expect(partitionOf(key)).to.equal(usual);
      }),
      { numRuns: 500 },
    );
  });

  for (const [key, count, partition] of JAVA) {
    it(`of "${key}" is the Java client's`, () => expect(createPartitioner(count)(key)).to.equal(partition));
  }
});
