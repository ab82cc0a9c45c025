import { expect } from 'chai';
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
  for (const [key, count, partition] of JAVA) {
    it(`of "${key}" is the Java client's`, () => expect(createPartitioner(count)(key)).to.equal(partition));
  }
});
