import { expect } from 'chai';
import fc from 'fast-check';
import { JobQueue } from '../../../src/engine/scheduler/job-queue.js';

interface Job {
  readonly number: number;
  readonly isReplay: boolean;
}

const isReplay = fc.boolean();
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('push' as const), isReplay }) },
  { weight: 4, arbitrary: fc.constant({ do: 'shift' } as const) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unshift' as const), isReplay }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cut' as const), keep: fc.nat(60) }) },
);

describe('queue of the jobs of an endpoint', () => {
  it('has the replays behind all others, each in order, for any order of operations', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
        const queue = new JobQueue<Job>((job) => job.isReplay);
        let model: Job[] = [];
        const inOrder = () => [
          ...model.filter((job) => !job.isReplay),
          ...model.filter((job) => job.isReplay),
        ];
        for (const [number, one] of steps.entries()) {
          if (one.do === 'push') {
            queue.push({ number, isReplay: one.isReplay });
            model.push({ number, isReplay: one.isReplay });
          } else if (one.do === 'unshift') {
            queue.unshift({ number, isReplay: one.isReplay });
            model.unshift({ number, isReplay: one.isReplay });
          } else if (one.do === 'shift') {
            const [first, ...others] = inOrder();
            expect(queue.shift()).to.deep.equal(first);
            model = others;
          } else {
            expect(queue.cutAfter(one.keep)).to.have.deep.members(inOrder().slice(one.keep));
            model = inOrder().slice(0, one.keep);
          }
          expect(queue.size).to.equal(model.length);
          expect(queue.first(5)).to.deep.equal(inOrder().slice(0, 5));
        }
      }),
      { numRuns: 60 },
    );
  });
});
