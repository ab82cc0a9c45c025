import { aMessage, ENDPOINT_ID, idFor } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import type { Job } from '../../../src/engine/jobs/job.js';
import { messages, sourceAt } from '../builders.js';
import { ANSWERED, aWorkload, DUE } from './a-workload.js';

const OTHER = idFor('endpoint', 'other');

describe('workload after partitions were revoked', () => {
  const isOurs = (endpointId: string) => endpointId === ENDPOINT_ID;

  it('drops queued and waiting jobs of unassigned endpoints without marking their offsets done', () => {
    const { work, wakeAt, parking, delayed, done } = aWorkload();
    const [queued, waiting] = messages(2, { endpointId: OTHER });
    work.addMessage(queued!, sourceAt(1), DUE);
    work.addMessage(waiting!, sourceAt(2), 9_000);
    work.addMessage(aMessage(), sourceAt(3), DUE);
    work.addMessage(aMessage({ ordinal: 2 }), sourceAt(4), 9_000);
    parking.park(aMessage({ endpointId: OTHER }));
    work.keepOnly(isOurs);
    expect(done).to.deep.equal([]);
    expect(work.size()).to.equal(2);
    expect(delayed.size()).to.equal(1);
    expect(parking.isParked(OTHER)).to.equal(false);
    const job = work.next()!;
    expect(job.message.endpointId).to.equal(ENDPOINT_ID);
    expect(job.hasMoved).to.equal(false);
    expect(work.next()).to.equal(null);
    work.release(job, ANSWERED);
    wakeAt(9_000);
    expect(work.next()?.message).to.deep.equal(aMessage({ ordinal: 2 }));
  });

  it('accepts dropped messages again when their partition returns', () => {
    const { work } = aWorkload();
    work.addMessage(aMessage({ endpointId: OTHER }), sourceAt(1), DUE);
    work.keepOnly(isOurs);
    work.addMessage(aMessage({ endpointId: OTHER }), sourceAt(1), DUE);
    expect(work.next()?.message.endpointId).to.equal(OTHER);
    expect(work.next()).to.equal(null);
  });

  it('lets jobs that have started finish and marks their offsets done', () => {
    const { work, done } = aWorkload();
    work.addMessage(aMessage({ endpointId: OTHER }), sourceAt(1), DUE);
    const job = work.next()!;
    work.keepOnly(isOurs);
    expect(work.size()).to.equal(1);
    expect(job.hasMoved).to.equal(true);
    work.release(job, ANSWERED);
    work.finish(job);
    expect(done).to.deep.equal([sourceAt(1)]);
    expect(work.size()).to.equal(0);
  });

  for (const [name, putBack] of [
    ['waits', (work: ReturnType<typeof aWorkload>['work'], job: Job) => work.wait(job, 2_000)],
    ['is queued', (work: ReturnType<typeof aWorkload>['work'], job: Job) => work.requeue(job)],
  ] as const) {
    it(`drops a started job of an unassigned endpoint when it ${name} again`, () => {
      const { work, wakeAt, done } = aWorkload();
      work.addMessage(aMessage({ endpointId: OTHER }), sourceAt(1), DUE);
      const job = work.next()!;
      work.keepOnly(isOurs);
      work.release(job, null);
      putBack(work, job);
      wakeAt(9_000);
      expect(work.next()).to.equal(null);
      expect(work.size()).to.equal(0);
      expect(done).to.deep.equal([]);
    });
  }

  it('queues a job again when its partition has returned in the meantime', () => {
    const { work, wakeAt } = aWorkload();
    let ours = false;
    work.addMessage(aMessage(), sourceAt(1), DUE);
    const job = work.next()!;
    work.keepOnly(() => ours);
    ours = true;
    work.release(job, null);
    work.wait(job, 2_000);
    wakeAt(2_000);
    expect(work.next()).to.equal(job);
  });
});
