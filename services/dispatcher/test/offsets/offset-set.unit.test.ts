import { expect } from 'chai';
import fc from 'fast-check';
import { OffsetSet } from '../../src/offsets/offset-set.js';

type Step =
  | { readonly do: 'add'; readonly count: number; readonly distance: number }
  | { readonly do: 'deleteFirst'; readonly count: number }
  | { readonly do: 'deleteAny' | 'insert'; readonly offset: number }
  | { readonly do: 'clear' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      count: fc.nat(400),
      distance: fc.constantFrom(1, 1, 2, 3, 40, 300, 5_000),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('deleteFirst' as const), count: fc.nat(300) }) },
  { weight: 12, arbitrary: fc.record({ do: fc.constant('deleteAny' as const), offset: fc.nat(9_000) }) },
  { weight: 12, arbitrary: fc.record({ do: fc.constant('insert' as const), offset: fc.nat(9_000) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'clear' as const }) },
);

/** A set with some offsets at equal distances. */
function setOf(count: number, distance: number): OffsetSet {
  const offsets = new OffsetSet();
  for (let added = 0; added < count; added += 1) offsets.add(added * distance);
  return offsets;
}

describe('a set of offsets', () => {
  it('takes the memory of one run for consecutive offsets, however many', () => {
    expect(setOf(100_000, 1).runs).to.equal(1);
  });

  it('takes as much memory as runs where offsets are far apart', () => {
    expect(setOf(1_000, 100).runs).to.equal(1_000);
  });

  it('takes a fortieth of that where every second offset is another one, and nothing once they are deleted', () => {
    const offsets = setOf(50_000, 2);
    expect(offsets.runs).to.be.below(50_000 / 40);
    for (let deleted = 0; deleted < 50_000; deleted += 1) {
      expect(offsets.first()).to.equal(deleted * 2);
      offsets.delete(deleted * 2);
    }
    expect([offsets.size, offsets.runs, offsets.first()]).to.deep.equal([0, 0, null]);
  });

  it('has the same offsets as a plain set, whatever is added and deleted', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
        const offsets = new OffsetSet();
        let model = new Set<number>();
        let next = 0;
        const lowest = () =>
          [...model].reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
        const remove = (offset: number) => expect(offsets.delete(offset)).to.equal(model.delete(offset));
        for (const action of steps) {
          switch (action.do) {
            case 'add':
              for (let added = 0; added < action.count; added += 1) {
                next += action.distance;
                offsets.add(next);
                model.add(next);
              }
              break;
            case 'insert':
              if (model.has(action.offset)) break;
              offsets.insert(action.offset);
              model.add(action.offset);
              next = Math.max(next, action.offset);
              break;
            case 'deleteAny':
              remove(action.offset);
              break;
            case 'deleteFirst':
              for (const offset of [...model].sort((one, other) => one - other).slice(0, action.count))
                remove(offset);
              break;
            case 'clear':
              offsets.clear();
              model = new Set();
          }
          expect(offsets.first() ?? Number.POSITIVE_INFINITY).to.equal(lowest());
          expect(offsets.size).to.equal(model.size);
        }
      }),
      { numRuns: 100 },
    );
  });
});
