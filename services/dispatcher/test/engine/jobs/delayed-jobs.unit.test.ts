import { idFor, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { createDelayedJobs } from '../../../src/engine/jobs/delayed-jobs.js';
import { aJob, sourceAt } from '../builders.js';

const [ONE, OTHER] = [idFor('endpoint', 'one'), idFor('endpoint', 'other')];

describe('delayed jobs', () => {
  function someJobs() {
    const time = { clockMs: 0, monotonicMs: 500_000 };
    const jobs = createDelayedJobs({
      clockMs: () => time.clockMs,
      monotonicMs: () => time.monotonicMs,
      onAdded: () => {},
    });
    const nextAt = (clockMs: number) => {
      time.clockMs = clockMs;
      return jobs.next();
    };
    const waiting = aJob({ endpointId: ONE, ordinal: 2 }, [sourceAt(1)]);
    const withoutOffsets = aJob({ endpointId: ONE });
    const ofOther = aJob({ endpointId: OTHER, ordinal: 2 }, [sourceAt(2)]);
    jobs.addUntil(waiting, 3_000);
    jobs.addUntil(withoutOffsets, 2_000);
    jobs.addUntil(ofOther, 1_000);
    const counts = () => [jobs.count('waiting', ONE), jobs.count('waiting', OTHER)];
    return { jobs, time, nextAt, waiting, withoutOffsets, ofOther, counts };
  }

  it('are removed once they are due, the earliest first, and counted until then', () => {
    const { jobs, nextAt, waiting, withoutOffsets, ofOther, counts } = someJobs();
    expect(counts()).to.deep.equal([2, 1]);
    expect(jobs.waitingOf(WORKSPACE_ID)).to.equal(3);
    expect(nextAt(999)).to.equal(null);
    expect([nextAt(2_000), nextAt(2_000), nextAt(2_000)]).to.deep.equal([ofOther, withoutOffsets, null]);
    expect(counts()).to.deep.equal([1, 0]);
    expect(nextAt(3_000)).to.equal(waiting);
    expect(waiting.state).to.equal('waiting');
    expect(counts()).to.deep.equal([0, 0]);
    expect(jobs.waitingOf(WORKSPACE_ID)).to.equal(0);
  });

  it('that match are removed before they are due, and counted no more', () => {
    const { jobs, nextAt, waiting, withoutOffsets, ofOther, counts } = someJobs();
    const postponed = aJob({ endpointId: ONE, ordinal: 3 }, [sourceAt(3)]);
    jobs.addFor(postponed, 0);
    const removed = jobs.removeWhere(({ message }) => message.endpointId === ONE);
    expect(removed).to.have.members([waiting, withoutOffsets, postponed]);
    expect(counts()).to.deep.equal([0, 1]);
    expect([nextAt(9_000), nextAt(9_000)]).to.deep.equal([ofOther, null]);
  });

  it('that are postponed are counted apart unless their offsets are open', () => {
    const { jobs } = someJobs();
    jobs.addFor(aJob({ endpointId: ONE, ordinal: 3 }), 500);
    jobs.addFor(aJob({ endpointId: ONE, ordinal: 4 }, [sourceAt(3)]), 500);
    expect([jobs.count('postponed', ONE), jobs.count('waiting', ONE)]).to.deep.equal([1, 3]);
  });

  it('that are set aside are counted apart, and return after their delay', () => {
    const { jobs, time } = someJobs();
    const aside = aJob({ endpointId: ONE, ordinal: 3 }, [sourceAt(3)]);
    jobs.setAside(aside, 500);
    expect([jobs.count('set-aside', ONE), jobs.count('waiting', ONE)]).to.deep.equal([1, 2]);
    expect([jobs.nextInMs(), jobs.next()]).to.deep.equal([500, null]);
    time.monotonicMs += 500;
    expect(jobs.next()).to.equal(aside);
    expect(jobs.count('set-aside', ONE)).to.equal(0);
  });

  it('that are postponed wait no longer when the clock is set back', () => {
    const { jobs, time, nextAt, ofOther } = someJobs();
    const postponed = aJob({ endpointId: ONE, ordinal: 3 }, [sourceAt(3)]);
    jobs.addFor(postponed, 1_500);
    expect(jobs.size()).to.equal(4);
    expect(nextAt(1_000)).to.equal(ofOther);
    expect(jobs.nextInMs()).to.equal(1_000);
    time.monotonicMs += 1_500;
    expect(nextAt(-60_000)).to.equal(postponed);
    expect([jobs.next(), jobs.nextInMs()]).to.deep.equal([null, 62_000]);
    expect(jobs.removeWhere(() => true)).to.have.length(2);
    expect([jobs.size(), jobs.nextInMs()]).to.deep.equal([0, null]);
  });
});
