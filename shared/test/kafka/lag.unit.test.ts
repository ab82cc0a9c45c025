import { expect } from 'chai';
import { lagOf } from '../../src/kafka/lag.js';

describe('lag of a group', () => {
  const end = (partition: number, low: number, high: number) => ({
    partition,
    low: String(low),
    high: String(high),
  });

  it('is the number of messages between the committed offsets and the ends', () => {
    const committed = [
      { partition: 0, offset: '10' },
      { partition: 1, offset: '5' },
    ];
    expect(lagOf([end(0, 0, 12), end(1, 0, 5)], committed)).to.equal(2);
  });

  it('counts from the beginning without a committed offset', () => {
    expect(lagOf([end(0, 3, 12), end(1, 0, 4)], [{ partition: 0, offset: '-1' }])).to.equal(13);
  });

  it('does not count expired messages and is never negative', () => {
    expect(lagOf([end(0, 8, 12)], [{ partition: 0, offset: '2' }])).to.equal(4);
    expect(lagOf([end(0, 0, 0)], [{ partition: 0, offset: '9' }])).to.equal(0);
  });
});
