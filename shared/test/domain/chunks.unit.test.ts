import { expect } from 'chai';
import { chunksOf } from '../../src/domain/chunks.js';

describe('chunks', () => {
  it('have the size, except for the last one', () => {
    expect(chunksOf([], 2)).to.deep.equal([]);
    expect(chunksOf([1, 2], 2)).to.deep.equal([[1, 2]]);
    expect(chunksOf([1, 2, 3, 4, 5], 2)).to.deep.equal([[1, 2], [3, 4], [5]]);
  });
});
