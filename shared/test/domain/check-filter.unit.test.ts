import { expect } from 'chai';
import { filterMistakes } from '../../src/domain/check-filter.js';

const mistakes = (value: unknown) =>
  filterMistakes(value, 'filter').map(({ path, message }) => `${path} ${message}`);

describe('filterMistakes', () => {
  it('accepts every condition', () => {
    expect(
      mistakes({
        plan: ['team', 'business'],
        amount: [{ gte: 100, lt: 200.5 }, null, true],
        'customer.name': [{ prefix: 'a' }, { suffix: '' }, { equals: null }],
        note: [
          { exists: false },
          { anything_but: ['a', 1, null] },
          { anything_but: 'x' },
          { gt: 'a', lte: 'b' },
        ],
      }),
    ).to.deep.equal([]);
    expect(mistakes({})).to.deep.equal([]);
  });

  it('names the place of every mistake, all together', () => {
    const found = mistakes({
      a: [],
      b: 'team',
      'c..d': [1],
      e: [{ gte: true }, { like: 'x' }, {}, ['nested'], { exists: 'yes' }],
      f: [{ anything_but: [] }, { anything_but: [{}] }, { prefix: 1 }, { equals: [1] }],
      g: [Number.POSITIVE_INFINITY],
      'h.i': [{ __proto: 1 }],
    });
    expect(found).to.deep.equal([
      'filter.a must not be an empty list',
      'filter.b must be a list of values and conditions',
      'filter["c..d"] must be names joined by dots',
      'filter.e[0].gte must be a number or a string',
      'filter.e[1].like is no condition; there are equals, anything_but, prefix, suffix, gt, gte, lt, lte, exists',
      'filter.e[2] must have at least one condition',
      'filter.e[3] must be a string, number, boolean or null',
      'filter.e[4].exists must be true or false',
      'filter.f[0].anything_but must not be an empty list',
      'filter.f[1].anything_but[0] must be a string, number, boolean or null',
      'filter.f[2].prefix must be a string',
      'filter.f[3].equals must be a string, number, boolean or null',
      'filter.g[0] must be a number within the range of a double',
      'filter["h.i"][0].__proto is no condition; there are equals, anything_but, prefix, suffix, gt, gte, lt, lte, exists',
    ]);
  });

  it('limits paths and bytes', () => {
    const paths = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, [1]]));
    expect(mistakes(paths(10))).to.deep.equal([]);
    expect(mistakes(paths(11))).to.deep.equal(['filter must have at most 10 paths']);
    const ofBytes = (bytes: number) => ({ a: ['é'.repeat((bytes - 10) / 2)] });
    expect(mistakes(ofBytes(2_050))).to.have.length(1);
    expect(mistakes(ofBytes(2_048))).to.deep.equal([]);
    expect(mistakes({ a: ['x'.repeat(2_038)] })).to.deep.equal([]);
    expect(mistakes({ a: ['x'.repeat(2_039)] })).to.deep.equal(['filter must be at most 2048 bytes of JSON']);
  });

  it('refuses what is no object', () => {
    for (const value of ['x', 1, [], null])
      expect(mistakes(value)).to.deep.equal(['filter must be an object of paths and lists']);
  });
});
