import { expect } from 'chai';
import { differenceOf, sumOf, totalOf } from './counts.js';

describe('counts', () => {
  it('are added by name', () => {
    expect(sumOf([{ find: 1, insert: 2 }, {}, { find: 3 }])).to.deep.equal({ find: 4, insert: 2 });
  });

  it('have a total', () => {
    expect([totalOf({ find: 1, insert: 2 }), totalOf({})]).to.deep.equal([3, 0]);
  });

  it('are compared with earlier ones, without what did not happen in between', () => {
    const before = { find: 1, insert: 2 };
    expect(differenceOf({ find: 5, insert: 2, update: 3 }, before)).to.deep.equal({ find: 4, update: 3 });
  });
});
