import { expect } from 'chai';
import fc from 'fast-check';
import { Fifo } from '../../../src/engine/scheduler/fifo.js';

const step = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ do: 'push' } as const) },
  { weight: 4, arbitrary: fc.constant({ do: 'shift' } as const) },
  { weight: 1, arbitrary: fc.constant({ do: 'unshift' } as const) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cut' as const), keep: fc.nat(200) }) },
);

describe('fifo', () => {
  it('behaves like an array, for any order of operations', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 600, size: 'max' }), (steps) => {
        const fifo = new Fifo<number>();
        const model: number[] = [];
        for (const [number, one] of steps.entries()) {
          if (one.do === 'push') {
            fifo.push(number);
            model.push(number);
          } else if (one.do === 'unshift') {
            fifo.unshift(number);
            model.unshift(number);
          } else if (one.do === 'shift') expect(fifo.shift()).to.equal(model.shift());
          else expect(fifo.cutAfter(one.keep)).to.deep.equal(model.splice(one.keep));
          expect(fifo.size).to.equal(model.length);
          expect(fifo.peek()).to.equal(model[0]);
          expect(fifo.first(3)).to.deep.equal(model.slice(0, 3));
        }
      }),
      { numRuns: 60 },
    );
  });
});
