import { expect } from 'chai';
import fc from 'fast-check';
import { OffsetRuns } from '../../src/offsets/offset-runs.js';

function runsOf(...offsets: number[]): OffsetRuns {
  const runs = new OffsetRuns();
  for (const offset of offsets) runs.add(offset);
  return runs;
}

/** The number of runs of ascending offsets. */
const countRuns = (offsets: readonly number[]) =>
  offsets.filter((offset, index) => offset !== (offsets[index - 1] ?? Number.NaN) + 1).length;

type Step =
  | { readonly do: 'add'; readonly gap: number }
  | { readonly do: 'deleteOne'; readonly which: number }
  | { readonly do: 'deleteFirst' | 'clear' }
  | { readonly do: 'deleteAny' | 'insert'; readonly offset: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({ do: fc.constant('add' as const), gap: fc.constantFrom(0, 0, 0, 1, 5) }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('deleteOne' as const), which: fc.nat(100) }) },
  { weight: 6, arbitrary: fc.constant({ do: 'deleteFirst' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'clear' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deleteAny' as const), offset: fc.nat(200) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('insert' as const), offset: fc.nat(200) }) },
);

describe('runs of offsets', () => {
  it('are one for consecutive offsets, and are divided by a gap and by a deleted offset', () => {
    expect(runsOf(5, 6, 7, 8).runs).to.equal(1);
    expect(runsOf(5, 6, 8).runs).to.equal(2);
    const runs = runsOf(5, 6, 7, 8);
    runs.delete(6);
    expect([runs.runs, runs.size, runs.first()]).to.deep.equal([2, 3, 5]);
    runs.delete(5);
    expect([runs.runs, runs.size, runs.first()]).to.deep.equal([1, 2, 7]);
  });

  it('have the same offsets as a set, whatever is added and deleted', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
        const runs = new OffsetRuns();
        let model: number[] = [];
        let next = 0;
        const remove = (offset: number | undefined) => {
          if (offset === undefined) return;
          expect(runs.delete(offset)).to.equal(model.includes(offset));
          model = model.filter((one) => one !== offset);
        };
        for (const action of steps) {
          switch (action.do) {
            case 'insert':
              if (model.includes(action.offset)) break;
              runs.insert(action.offset);
              model = [...model, action.offset].sort((one, other) => one - other);
              next = Math.max(next, action.offset + 1);
              break;
            case 'add':
              next += action.gap;
              runs.add(next);
              model.push(next);
              next += 1;
              break;
            case 'deleteOne':
              remove(model[action.which % Math.max(model.length, 1)]);
              break;
            case 'deleteFirst':
              remove(model[0]);
              break;
            case 'deleteAny':
              remove(action.offset);
              break;
            case 'clear':
              runs.clear();
              model = [];
          }
          expect(runs.first()).to.equal(model[0] ?? null);
          expect(runs.size).to.equal(model.length);
          expect(runs.runs).to.equal(countRuns(model));
        }
        for (const offset of model) expect(runs.delete(offset)).to.equal(true);
        expect(runs.first()).to.equal(null);
      }),
      { numRuns: 300 },
    );
  });
});
