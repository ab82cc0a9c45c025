import { idFor } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { createDelayedJobs } from '../../src/engine/delayed-jobs.js';
import { createDelayHeap } from '../../src/engine/scheduler/delay-heap.js';
import { aJob } from './builders.js';

const [ONE, OTHER] = [idFor('endpoint', 'one'), idFor('endpoint', 'other')];

describe('delayed jobs', () => {
  function someJobs() {
    const jobs = createDelayedJobs(createDelayHeap());
    const [waiting, withoutOffsets] = [aJob({ endpointId: ONE, ordinal: 2 }), aJob({ endpointId: ONE })];
    const ofOther = aJob({ endpointId: OTHER, ordinal: 2 });
    jobs.add(waiting, 'waiting', 3_000);
    jobs.add(withoutOffsets, 'waiting-without-offsets', 2_000);
    jobs.add(ofOther, 'waiting', 1_000);
    const counts = () => [
      jobs.count('waiting', ONE),
      jobs.count('waiting-without-offsets', ONE),
      jobs.count('waiting', OTHER),
    ];
    return { jobs, waiting, withoutOffsets, ofOther, counts };
  }

  it('are removed once they are due, the earliest first, and counted until then', () => {
    const { jobs, waiting, withoutOffsets, ofOther, counts } = someJobs();
    expect(counts()).to.deep.equal([1, 1, 1]);
    expect(jobs.next(999)).to.equal(null);
    expect([jobs.next(2_000), jobs.next(2_000), jobs.next(2_000)]).to.deep.equal([
      ofOther,
      withoutOffsets,
      null,
    ]);
    expect(counts()).to.deep.equal([1, 0, 0]);
    expect(jobs.next(3_000)).to.equal(waiting);
    expect(waiting.state).to.equal('waiting');
    expect(counts()).to.deep.equal([0, 0, 0]);
  });

  it('that match are removed before they are due, and counted no more', () => {
    const { jobs, waiting, withoutOffsets, ofOther, counts } = someJobs();
    const removed = jobs.removeWhere(({ message }) => message.endpointId === ONE);
    expect(removed).to.have.members([waiting, withoutOffsets]);
    expect(counts()).to.deep.equal([0, 0, 1]);
    expect([jobs.next(9_000), jobs.next(9_000)]).to.deep.equal([ofOther, null]);
  });
});
