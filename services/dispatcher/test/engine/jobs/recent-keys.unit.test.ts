import { expect } from 'chai';
import { createRecentKeys } from '../../../src/engine/jobs/recent-keys.js';

describe('recent keys', () => {
  it('contain each key until it is removed', () => {
    const keys = createRecentKeys(2);
    keys.add('a');
    expect([keys.remove('a'), keys.remove('a'), keys.remove('b')]).to.deep.equal([true, false, false]);
  });

  it('forget the oldest key beyond their number', () => {
    const keys = createRecentKeys(2);
    for (const key of ['a', 'b', 'c']) keys.add(key);
    expect(['a', 'b', 'c'].map(keys.remove)).to.deep.equal([false, true, true]);
  });
});
