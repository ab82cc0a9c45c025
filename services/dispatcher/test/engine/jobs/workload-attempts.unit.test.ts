import { aMessage, ENDPOINT_ID, idFor } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { aHandedOver, messages, sourceAt } from '../builders.js';
import { ANSWERED, aWorkload, DUE, JOBS } from './a-workload.js';

const OTHER = idFor('endpoint', 'other');
const factsAt = (origin: string) => ({ origin, failing: false, bytes: 1_000 });

/** A workload whose endpoint has answered from an origin. */
function provenAt(origin: string) {
  const world = aWorkload();
  world.work.addMessage(aMessage(), sourceAt(0), DUE);
  const job = world.work.next()!;
  expect(world.work.confirm(job, factsAt(origin))).to.equal(true);
  expect(world.work.isQueued(job.key), 'once it may start').to.equal(false);
  world.work.release(job, ANSWERED);
  world.work.finish(job);
  return world;
}

describe('workload with attempts', () => {
  it('queues a job again that must not start, because the URL of its endpoint has changed', () => {
    const { work } = provenAt('https://old');
    work.addMessage(aMessage({ ordinal: 2 }), sourceAt(1), DUE);
    const job = work.next()!;
    expect(work.confirm(job, factsAt('https://new'))).to.equal(false);
    expect(work.isQueued(job.key)).to.equal(true);
    expect(work.next()).to.equal(job);
  });

  // Regression: each job behind one whose name was not found took the slot, was read and signed, and was delayed as well.
  it('queues a job that was not sent in its place, and starts none of its endpoint until that has rested', () => {
    const { work, scheduler, time, done } = provenAt('https://hook');
    const [first, second] = messages(3).map((message, offset) => {
      work.addMessage(message, sourceAt(offset + 1), DUE);
      return work.next();
    });
    for (const job of [second!, first!]) expect(work.confirm(job, factsAt('https://hook'))).to.equal(true);
    for (const job of [second!, first!]) work.rest(job, 700);
    expect(work.next()).to.equal(null);
    expect(work.pendingOf(ENDPOINT_ID)).to.equal(3);
    time.monotonicMs += 699;
    scheduler.wake();
    expect(work.next()).to.equal(null);
    time.monotonicMs += 1;
    scheduler.wake();
    expect([work.next(), work.next()]).to.deep.equal([first, second]);
    expect(done).to.have.length(1);
  });

  it('drops a job that was not sent if its endpoint is assigned to another process', () => {
    const { work } = aWorkload();
    work.addMessage(aMessage(), sourceAt(0), DUE);
    const job = work.next()!;
    work.keepOnly(() => false);
    work.rest(job, 700);
    expect(work.size()).to.equal(0);
  });

  it('lists those of some endpoints that have begun', () => {
    const { work, count } = aWorkload();
    const [begun, other, loading] = [ENDPOINT_ID, OTHER, 'loading'].map((endpointId, offset) => {
      work.addMessage(aMessage({ endpointId, deliveryId: endpointId }), sourceAt(offset), DUE);
      return work.next()!;
    });
    for (const job of [begun!, other!]) work.postBegins(job);
    expect(work.attempted((endpointId) => endpointId !== OTHER)).to.deep.equal([begun]);
    expect(work.attempted(() => true)).to.not.include(loading);
    expect(count.posts).to.equal(2);
  });

  it('shows the next jobs of an endpoint only if it answers, and so starts several at once', () => {
    const shown = [provenAt('https://hook'), aWorkload()].map(({ work }) => {
      for (const [offset, message] of messages(3).entries())
        work.addMessage(message, sourceAt(offset + 1), DUE);
      return work.upcoming(work.next()!, 2).length;
    });
    expect(shown).to.deep.equal([2, 0]);
  });

  it('leaves a stored row to its message while the budget admits no more of its endpoint', () => {
    const { work } = aWorkload();
    const added = messages(JOBS).map((message) => work.addStored(message, aHandedOver()));
    expect(added.filter((job) => job !== null)).to.have.length(JOBS / 2);
  });
});
