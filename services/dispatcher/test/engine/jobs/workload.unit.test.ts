import type { QueueMessage } from '@postrider/shared/ports/queue';
import { retryTopic } from '@postrider/shared/ports/topics';
import { nextTurn } from '@postrider/shared/runtime/turns';
import {
  aMessage,
  DELIVERY_ID,
  ENDPOINT_ID,
  idFor,
  TRACE_ID,
  WORKSPACE_ID,
} from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { type Job, jobKey } from '../../../src/engine/jobs/job.js';
import { aHandedOver, messages, sourceAt } from '../builders.js';
import { ANSWERED, aWorkload, DUE, JOBS } from './a-workload.js';

const OTHER = idFor('endpoint', 'other');
const FOUND_ALL = { foundNothingNew: false, workspaceId: null, now: 0, refillBelow: 1 };
const rowOf = ({ ordinal, ...ids }: QueueMessage) => ({ ...ids, attempts: ordinal - 1 });

describe('workload', () => {
  it('marks the offset of a message done when its job finishes', () => {
    const { work, done } = aWorkload();
    work.addMessage(aMessage(), sourceAt(7), DUE);
    const job = work.next()!;
    expect(job).to.include({ key: DELIVERY_ID, state: 'loading' });
    work.release(job, ANSWERED);
    expect(done).to.deep.equal([]);
    work.finish(job);
    expect(done).to.deep.equal([sourceAt(7)]);
    expect(work.size()).to.equal(0);
  });

  it('adds only the offset of a duplicate message, in every state of its job', () => {
    const { work, wakeAt, done } = aWorkload();
    const copy = sourceAt(3, retryTopic(1));
    work.addMessage(aMessage(), sourceAt(1), 5_000);
    work.addMessage(aMessage(), sourceAt(2), DUE);
    expect(work.next(), 'the first copy waits, so the job does').to.equal(null);
    wakeAt(5_000);
    work.addMessage(aMessage(), copy, DUE);
    const job = work.next()!;
    work.addMessage(aMessage(), sourceAt(4), DUE);
    expect(work.next()).to.equal(null);
    expect(work.size()).to.equal(1);
    work.finish(job);
    expect(done).to.deep.equal([sourceAt(1), sourceAt(2), copy, sourceAt(4)]);
  });

  it('starts the deliveries of an endpoint before its replays, from messages and from rows', () => {
    const { work, wakeAt } = aWorkload();
    const replay = { class: 'replay' } as const;
    work.addMessage(aMessage({ deliveryId: 'replay1', ...replay }), sourceAt(0), DUE);
    work.addFromRow(rowOf(aMessage({ deliveryId: 'replay2', ...replay })));
    work.addMessage(aMessage({ deliveryId: 'regular1' }), sourceAt(1), DUE);
    work.addMessage(aMessage({ deliveryId: 'retried', ...replay, ordinal: 2 }), sourceAt(2), 5_000);
    work.addFromRow(rowOf(aMessage({ deliveryId: 'regular2' })));
    wakeAt(5_000);
    const started: string[] = [];
    for (let job = work.next(); job !== null; job = work.next()) {
      started.push(job.message.deliveryId);
      work.release(job, ANSWERED);
      work.finish(job);
    }
    expect(started).to.deep.equal(['regular1', 'regular2', 'replay1', 'replay2', 'retried']);
  });

  it('queues the jobs that are due together in several turns of the event loop', async () => {
    const { work, wakeAt, time, delayed } = aWorkload();
    for (const [offset, message] of messages(8).entries()) work.addMessage(message, sourceAt(offset), 5_000);
    time.stepMs = 4;
    wakeAt(5_000);
    expect(delayed.size()).to.be.within(1, 7);
    await nextTurn();
    time.stepMs = 0;
    wakeAt(5_000);
    expect(delayed.size()).to.equal(0);
  });

  it('leaves what an endpoint with a rate cannot send soon in its rows', () => {
    const { work, scheduler, parking, done } = aWorkload();
    work.addMessage(aMessage({ deliveryId: 'first' }), sourceAt(0), DUE);
    const facts = { origin: 'https://hook', failing: false, bytes: 1_000, ratePerSecond: 1 };
    const first = work.next()!;
    expect(work.confirm(first, facts)).to.equal(true);
    work.release(first, ANSWERED);
    work.finish(first);
    for (let offset = 1; offset <= 5; offset += 1)
      work.addMessage(aMessage({ deliveryId: `d${offset}` }), sourceAt(offset), DUE);
    expect(scheduler.queued(ENDPOINT_ID)).to.equal(4);
    expect(work.next(), 'its rate admits none yet').to.equal(null);
    expect(parking.isParked(ENDPOINT_ID)).to.equal(true);
    expect(done, 'the message beyond them is done').to.deep.include(sourceAt(5));
  });

  it('queues a job whose row was not read before those behind it', () => {
    const { work } = aWorkload();
    for (const n of [1, 2, 3]) work.addMessage(aMessage({ deliveryId: `d${n}` }), sourceAt(n), DUE);
    const job = work.next()!;
    work.putBack(job);
    expect(work.isQueued(job.key)).to.equal(true);
    expect(work.pendingOf(ENDPOINT_ID)).to.equal(3);
    expect(work.next()).to.equal(job);
  });

  it('distinguishes the attempts of a delivery', () => {
    const { work } = aWorkload();
    work.addMessage(aMessage({ ordinal: 1 }), sourceAt(1), DUE);
    work.addMessage(aMessage({ ordinal: 2 }), sourceAt(2), DUE);
    expect(work.size()).to.equal(2);
  });

  it('queues waiting jobs when they are due', () => {
    const { work, wakeAt } = aWorkload();
    work.addMessage(aMessage(), sourceAt(1), 1_001);
    wakeAt(1_000);
    expect(work.next()).to.equal(null);
    expect(work.isQueued(jobKey(aMessage()))).to.equal(false);
    wakeAt(1_001);
    expect(work.isQueued(jobKey(aMessage()))).to.equal(true);
    expect(work.next()?.message).to.deep.equal(aMessage());
  });

  it('queues a job that is due now immediately', () => {
    const { work } = aWorkload();
    work.addMessage(aMessage(), sourceAt(1), 1_000);
    expect(work.next()).to.not.equal(null);
  });

  it('delays a job that has started and queues it again', () => {
    const { work, wakeAt, done } = aWorkload();
    work.addMessage(aMessage(), sourceAt(1), DUE);
    const job = work.next()!;
    work.release(job, null);
    work.wait(job, 3_000);
    expect(work.next()).to.equal(null);
    wakeAt(3_000);
    expect(work.next()).to.equal(job);
    expect(done).to.deep.equal([]);
  });

  describe('with as many jobs of an endpoint as the budget permits', () => {
    function fullWorkload() {
      const world = aWorkload();
      const all = messages(JOBS / 2 + 1);
      const last = all.pop()!;
      for (const [offset, message] of all.entries()) world.work.addMessage(message, sourceAt(offset), DUE);
      return { ...world, last };
    }

    it('parks the endpoint and marks the offset of a further message done', () => {
      const { work, parking, done, last } = fullWorkload();
      expect(parking.isParked(ENDPOINT_ID)).to.equal(false);
      work.next();
      work.addMessage(last, sourceAt(99), DUE);
      expect(parking.isParked(ENDPOINT_ID)).to.equal(true);
      expect(done).to.deep.equal([sourceAt(99)]);
      expect(work.size()).to.equal(JOBS / 2);
    });

    it('skips every message of a parked endpoint, even if few jobs are queued', () => {
      const { work, done, last } = fullWorkload();
      work.addMessage(last, sourceAt(99), DUE);
      for (let job = work.next(); job !== null; job = work.next()) {
        work.release(job, ANSWERED);
        work.finish(job);
      }
      const before = done.length;
      work.addMessage(aMessage({ deliveryId: idFor('delivery', 'late') }), sourceAt(100), DUE);
      expect(done.slice(before)).to.deep.equal([sourceAt(100)]);
      expect(work.size()).to.equal(0);
    });

    it('reports skipped messages to the parking lot', () => {
      const { work, parking, last } = fullWorkload();
      parking.park(aMessage());
      parking.next('new', () => true);
      work.addMessage(last, sourceAt(99), DUE);
      const end = { isBehind: false, foundNothingNew: true, workspaceId: null, now: 0, refillBelow: 1 };
      expect(parking.queryEnded(ENDPOINT_ID, end)).to.equal(false);
    });

    it('accepts messages that are not due', () => {
      const { work, parking, done, last } = fullWorkload();
      work.addMessage(last, sourceAt(99), 2_000);
      expect(parking.isParked(ENDPOINT_ID)).to.equal(false);
      expect(done).to.deep.equal([]);
    });

    it('skips a waiting message of a parked endpoint when it is due', () => {
      const { work, wakeAt, parking, done, last } = fullWorkload();
      work.addMessage(last, sourceAt(99), 2_000);
      parking.park(aMessage());
      wakeAt(2_000);
      expect(done).to.deep.equal([sourceAt(99)]);
    });

    it('accepts messages of an endpoint that was parked for an overdue row, until it is behind', () => {
      const { work, parking } = aWorkload();
      const [first, second, third] = messages(3);
      parking.parkOverdue(aMessage());
      work.addMessage(first!, sourceAt(0), DUE);
      expect(work.leaveStored(second!)).to.equal(false);
      expect(work.addStored(second!, aHandedOver())).not.to.equal(null);
      expect(work.size()).to.equal(2);
      parking.next('new', () => true);
      parking.queryEnded(ENDPOINT_ID, {
        isBehind: true,
        foundNothingNew: false,
        workspaceId: null,
        now: 0,
        refillBelow: 1,
      });
      expect(work.leaveStored(third!)).to.equal(true);
      work.addMessage(third!, sourceAt(2), DUE);
      expect(work.size()).to.equal(2);
    });

    it('queues a waiting message of an endpoint that was parked for an overdue row when it is due', () => {
      const { work, wakeAt, parking } = aWorkload();
      const [message] = messages(1);
      work.addMessage(message!, sourceAt(0), 2_000);
      parking.parkOverdue(aMessage());
      wakeAt(2_000);
      expect(work.isQueued(jobKey(message!))).to.equal(true);
    });

    it('accepts messages of other endpoints', () => {
      const { work, parking, last } = fullWorkload();
      work.addMessage(last, sourceAt(99), DUE);
      work.addMessage(aMessage({ endpointId: OTHER, deliveryId: 'x' }), sourceAt(100), DUE);
      expect(parking.isParked(OTHER)).to.equal(false);
      expect(work.isQueued('x')).to.equal(true);
    });
  });

  describe('with an endpoint that falls silent', () => {
    function silentWorkload() {
      const world = aWorkload();
      for (const [offset, message] of messages(5).entries())
        world.work.addMessage(message, sourceAt(offset), DUE);
      world.work.postBegins(world.work.next()!);
      world.time.monotonicMs += 1_000;
      world.work.age();
      return world;
    }

    it('keeps two of its queued jobs and parks it, so that the others are fed later', () => {
      const { work, scheduler, parking } = silentWorkload();
      expect(scheduler.queued(ENDPOINT_ID)).to.equal(2);
      expect(parking.isParked(ENDPOINT_ID)).to.equal(true);
      expect(work.size()).to.equal(3);
    });

    it('leaves none of its offsets open, so that those behind them are not read again after a restart', () => {
      const { done } = silentWorkload();
      expect(done).to.have.deep.members([0, 1, 2, 3, 4].map((offset) => sourceAt(offset)));
    });

    it('acknowledges the message of a retry when it is due, and a repeated message at once', () => {
      const { work, wakeAt, time, scheduler, done } = aWorkload();
      const [first, retry] = messages(2);
      work.addMessage(first!, sourceAt(0), DUE);
      work.addMessage(retry!, sourceAt(1), 2_000);
      const job = work.next()!;
      work.postBegins(job);
      time.monotonicMs += 1_000;
      work.age();
      expect(done).to.deep.equal([sourceAt(0)]);
      wakeAt(2_000);
      expect(done).to.deep.equal([sourceAt(0), sourceAt(1)]);
      expect(scheduler.queued(ENDPOINT_ID)).to.equal(1);
      work.addMessage(first!, sourceAt(7), DUE);
      expect(done.at(-1)).to.deep.equal(sourceAt(7));
    });

    it('does the same for one that was slow until its POST timed out', () => {
      const { work, scheduler, time, done } = aWorkload();
      const [slow, ...others] = messages(6);
      const post = () => {
        const job = work.next()!;
        work.postBegins(job);
        return job;
      };
      const end = (job: Job, durationMs: number, timedOut: boolean) => {
        time.monotonicMs += durationMs;
        work.age();
        work.release(job, { durationMs, timedOut });
        work.finish(job);
      };
      work.addMessage(slow!, sourceAt(0), DUE);
      end(post(), 1_500, false);
      for (const [index, message] of others.entries()) work.addMessage(message, sourceAt(index + 1), DUE);
      end(post(), 10_000, true);
      expect(scheduler.queued(ENDPOINT_ID)).to.equal(2);
      expect(done).to.have.deep.members([0, 1, 2, 3, 4, 5].map((offset) => sourceAt(offset)));
    });

    it('keeps the queue of one that has other POSTs in flight when one of them times out', () => {
      const { work, scheduler, time } = aWorkload();
      const [first, ...others] = messages(8);
      work.addMessage(first!, sourceAt(0), DUE);
      const prompt = work.next()!;
      work.release(prompt, ANSWERED);
      work.finish(prompt);
      for (const [index, message] of others.entries()) work.addMessage(message, sourceAt(index + 1), DUE);
      const [stuck, other] = [work.next()!, work.next()!];
      work.postBegins(stuck);
      work.postBegins(other);
      time.monotonicMs += 500;
      work.release(stuck, { durationMs: 500, timedOut: true });
      expect(scheduler.queued(ENDPOINT_ID)).to.equal(3);
    });

    it('skips its further messages', () => {
      const { work, done } = silentWorkload();
      work.addMessage(aMessage({ deliveryId: 'x' }), sourceAt(9), DUE);
      expect(done).to.deep.include(sourceAt(9));
    });

    it('leaves its retries beyond two to their rows when they are due', () => {
      const { work, wakeAt, time, scheduler, parking, done } = aWorkload();
      const [first, ...retries] = messages(6);
      work.addMessage(first!, sourceAt(0), DUE);
      for (const [index, retry] of retries.entries()) work.addMessage(retry, sourceAt(index + 1), 2_000);
      work.postBegins(work.next()!);
      time.monotonicMs += 1_000;
      work.age();
      wakeAt(2_000);
      expect(scheduler.queued(ENDPOINT_ID)).to.equal(2);
      expect(parking.isBehind(ENDPOINT_ID)).to.equal(true);
      expect(done).to.have.deep.members([0, 1, 2, 3, 4, 5].map((offset) => sourceAt(offset)));
      expect(work.size()).to.equal(3);
    });
  });

  describe('with a job whose attempt cannot be made', () => {
    it('leaves it and those queued behind it to their rows', () => {
      const { work, scheduler, parking, done } = aWorkload();
      for (const [offset, message] of messages(4).entries()) work.addMessage(message, sourceAt(offset), DUE);
      work.releaseUnattempted(work.next()!);
      expect(work.size()).to.equal(0);
      expect(scheduler.inFlight(ENDPOINT_ID)).to.equal(0);
      expect(parking.isBehind(ENDPOINT_ID)).to.equal(true);
      expect(done).to.have.deep.members([0, 1, 2, 3].map((offset) => sourceAt(offset)));
    });

    it('keeps the offsets of retries that are not due open, and leaves these to their rows later', () => {
      const { work, wakeAt, done } = aWorkload();
      const [first, retry] = messages(2);
      work.addMessage(first!, sourceAt(0), DUE);
      work.addMessage(retry!, sourceAt(1), 2_000);
      work.releaseUnattempted(work.next()!);
      expect(done).to.deep.equal([sourceAt(0)]);
      wakeAt(2_000);
      expect(done).to.deep.equal([sourceAt(0), sourceAt(1)]);
      expect(work.size()).to.equal(0);
    });

    it('drops it without its offset if its endpoint has another owner by now', () => {
      const { work, parking, done } = aWorkload();
      work.addMessage(aMessage(), sourceAt(0), DUE);
      const job = work.next()!;
      work.keepOnly(() => false);
      work.releaseUnattempted(job);
      expect(work.size()).to.equal(0);
      expect(parking.size()).to.equal(0);
      expect(done).to.deep.equal([]);
    });
  });

  it('leaves a stored row whose attempt has ended to its message', () => {
    const { work } = aWorkload();
    work.addFromRow(rowOf(aMessage()));
    const job = work.next()!;
    work.release(job, ANSWERED);
    work.finish(job);
    expect(work.addStored(aMessage(), aHandedOver())).to.equal(null);
    expect(work.size()).to.equal(0);
  });

  it('keeps the postponed jobs of a parked endpoint that came from its rows', () => {
    const { work, time, parking } = aWorkload();
    parking.park(aMessage());
    work.addFromRow(rowOf(aMessage()));
    const job = work.next()!;
    work.release(job, null);
    work.postpone(job, 1_000);
    expect(work.pendingOf(ENDPOINT_ID)).to.equal(1);
    time.monotonicMs += 1_000;
    work.wake();
    expect(work.isQueued(job.key)).to.equal(true);
    expect(work.pendingOf(ENDPOINT_ID)).to.equal(1);
  });

  it('leaves jobs from rows of a parked endpoint that became due later to their rows when they are due', () => {
    const { work, wakeAt, parking } = aWorkload();
    parking.park(aMessage());
    work.addFromRow(rowOf(aMessage()));
    const job = work.next()!;
    work.release(job, null);
    work.wait(job, 2_000);
    expect([work.pendingOf(ENDPOINT_ID), work.dueOf(ENDPOINT_ID), work.size()]).to.deep.equal([0, 0, 1]);
    wakeAt(2_000);
    expect([work.pendingOf(ENDPOINT_ID), work.size()]).to.deep.equal([0, 0]);
    expect(parking.isBehind(ENDPOINT_ID)).to.equal(true);
  });

  it('counts the jobs of an endpoint whose rows may be due', () => {
    const { work, wakeAt } = aWorkload();
    const [first, second] = messages(2);
    work.addMessage(first!, sourceAt(0), DUE);
    work.addMessage(second!, sourceAt(1), 2_000);
    expect(work.dueOf(ENDPOINT_ID)).to.equal(1);
    wakeAt(2_000);
    expect(work.dueOf(ENDPOINT_ID)).to.equal(2);
  });

  describe('addFromRow', () => {
    it('queues the next attempt of a row without an offset, parked or not', () => {
      const { work, parking, done } = aWorkload();
      parking.park(aMessage());
      expect(work.addFromRow(rowOf(aMessage({ ordinal: 3 })))).to.equal('added');
      const job = work.next()!;
      expect(job.message).to.deep.equal({
        deliveryId: DELIVERY_ID,
        endpointId: ENDPOINT_ID,
        workspaceId: WORKSPACE_ID,
        traceId: TRACE_ID,
        ordinal: 3,
      });
      work.finish(job);
      expect(done).to.deep.equal([]);
    });

    it('ignores a row whose job is waiting, queued or being settled', () => {
      const { work, wakeAt } = aWorkload();
      work.addMessage(aMessage(), sourceAt(1), 5_000);
      expect(work.addFromRow(rowOf(aMessage())), 'waiting').to.equal('exists');
      wakeAt(5_000);
      expect(work.addFromRow(rowOf(aMessage())), 'queued').to.equal('exists');
      const job = work.next()!;
      work.release(job, ANSWERED);
      expect(work.addFromRow(rowOf(aMessage())), 'being settled').to.equal('exists');
      work.finish(job);
      expect(work.addFromRow(rowOf(aMessage()))).to.equal('added');
    });

    it('adds no row while there is no room for its job', () => {
      const { work } = aWorkload();
      for (let index = 0; index < JOBS; index += 1) {
        const ids = { endpointId: `e${index}`, workspaceId: `w${index}`, deliveryId: `d${index}` };
        expect(work.addFromRow(rowOf(aMessage(ids)))).to.equal('added');
      }
      const row = rowOf(aMessage({ endpointId: OTHER, deliveryId: 'x' }));
      expect(work.addFromRow(row)).to.equal('no room');
      work.finish(work.next()!);
      expect(work.addFromRow(row)).to.equal('added');
    });

    it('adds no row beyond the share of its workspace', () => {
      const { work } = aWorkload();
      const results = messages(JOBS).map((message) => work.addFromRow(rowOf(message)));
      expect(results.filter((result) => result === 'added')).to.have.length(8);
      expect(work.roomToFeed(WORKSPACE_ID)).to.equal(0);
      const ofOther = { endpointId: OTHER, workspaceId: idFor('workspace', 'other'), deliveryId: 'x' };
      expect(work.addFromRow(rowOf(aMessage(ofOther)))).to.equal('added');
      expect(results.at(-1)).to.equal('no room');
    });

    it('adds rows of a workspace whose retries fill its share while they wait', () => {
      const { work } = aWorkload();
      for (const message of messages(8, { ordinal: 2 })) work.addMessage(message, sourceAt(1), 9_000);
      expect(work.addFromRow(rowOf(aMessage({ endpointId: OTHER, deliveryId: 'x' })))).to.equal('added');
    });

    it('adds the offset of a message that arrives after its row', () => {
      const { work, done } = aWorkload();
      work.addFromRow(rowOf(aMessage()));
      work.addMessage(aMessage(), sourceAt(5), DUE);
      work.finish(work.next()!);
      expect(done).to.deep.equal([sourceAt(5)]);
    });

    it('counts the jobs of an endpoint in all states', () => {
      const { work, budget } = aWorkload();
      const [waiting, queued, settling] = messages(3);
      work.addMessage(settling!, sourceAt(1), DUE);
      work.release(work.next()!, ANSWERED);
      work.addMessage(queued!, sourceAt(2), DUE);
      work.addMessage(waiting!, sourceAt(3), 9_000);
      work.addMessage(aMessage({ endpointId: OTHER, deliveryId: 'x' }), sourceAt(4), DUE);
      expect(budget.jobsOf(ENDPOINT_ID)).to.equal(3);
      work.keepOnly((endpointId) => endpointId === OTHER);
      expect(budget.jobsOf(ENDPOINT_ID), 'what is being settled stays').to.equal(1);
      expect(budget.jobsOf(OTHER)).to.equal(1);
      work.finish(work.next()!);
      expect(budget.jobsOf(OTHER)).to.equal(0);
    });
  });

  describe('parkQueueOf', () => {
    it('drops the queued jobs of the endpoint and keeps all others', () => {
      const { work, parking, done } = aWorkload();
      const [started, first, second, waiting] = messages(4);
      work.addMessage(started!, sourceAt(1), DUE);
      work.next();
      work.addMessage(first!, sourceAt(2), DUE);
      work.addMessage(second!, sourceAt(3), DUE);
      work.addMessage(waiting!, sourceAt(4), 9_000);
      work.parkQueueOf(jobKey(second!));
      expect(parking.isParked(ENDPOINT_ID)).to.equal(true);
      expect(done).to.deep.equal([sourceAt(2), sourceAt(3)]);
      expect(work.next()).to.equal(null);
      expect(work.size()).to.equal(2);
    });

    it('keeps the endpoint parked if a query for its rows is in progress, which may not have found them', () => {
      const { work, parking } = aWorkload();
      parking.parkOverdue(aMessage());
      parking.next('new', () => true);
      work.addMessage(aMessage(), sourceAt(1), DUE);
      work.parkQueueOf(jobKey(aMessage()));
      expect(parking.queryEnded(ENDPOINT_ID, { ...FOUND_ALL, isBehind: false })).to.equal(false);
    });

    it('lets the endpoint be queried at once if its rows were fed before', () => {
      const { work, parking } = aWorkload();
      parking.park(aMessage());
      parking.next('new', () => true);
      work.addFromRow(rowOf(aMessage()));
      parking.queryEnded(ENDPOINT_ID, { ...FOUND_ALL, isBehind: true });
      expect(parking.ready()).to.equal(0);
      work.parkQueueOf(jobKey(aMessage()));
      expect(parking.ready()).to.equal(1);
    });

    it('does nothing if the job is finished', () => {
      const { work, parking } = aWorkload();
      work.parkQueueOf('gone');
      expect(parking.size()).to.equal(0);
    });
  });
});
