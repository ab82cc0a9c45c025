import { expect } from 'chai';
import { createEndpointScheduler } from '../../../src/engine/scheduler/endpoint-scheduler.js';
import { poolLimits } from '../../../src/engine/scheduler/pool-limits.js';
import { createRests } from '../../../src/engine/scheduler/rests.js';

const DEADLINE_MS = 10_000;
const TIMED_OUT = { durationMs: DEADLINE_MS, timedOut: true };
const ANSWERED = { durationMs: 20, timedOut: false };

/** Endpoints with much to do at a time that moves by `pass` only. */
function aScheduler(endpoints: readonly string[]) {
  const time = { now: 0 };
  const paced = { calls: 0 };
  const tasks = createEndpointScheduler<{ readonly endpointId: string }>(
    poolLimits({ perEndpoint: 4, prompt: 1_024, lingering: 4_096, bytes: 2 ** 24 }),
    () => time.now,
    {
      isReplay: () => false,
      onPaced: () => {
        paced.calls += 1;
      },
      restAfter: createRests(() => 0),
    },
  );
  for (const endpointId of endpoints)
    for (let job = 0; job < 20; job += 1) tasks.enqueue({ endpointId, workspaceId: 'w' }, { endpointId });
  /** Starts all POSTs that may start. */
  const start = () => {
    const started: { readonly endpointId: string }[] = [];
    for (let job = tasks.next(); job !== null; job = tasks.next()) {
      tasks.confirm(job, { origin: `https://${job.endpointId}`, failing: false, bytes: 1_000 });
      tasks.postBegins(job);
      started.push(job);
    }
    return started;
  };
  const pass = (ms: number) => {
    time.now += ms;
    tasks.age();
    tasks.wake();
  };
  return { tasks, time, paced, start, pass };
}

describe('rests after POSTs that time out', () => {
  it('spreads the next POSTs of endpoints that time out together over half of the deadline', () => {
    const endpoints = Array.from({ length: 200 }, (_, index) => `e${index}`);
    const { tasks, start, pass } = aScheduler(endpoints);
    const first = start();
    expect(first).to.have.length(200);
    pass(DEADLINE_MS);
    for (const job of first) tasks.release(job, TIMED_OUT);
    const started: number[] = [];
    for (let second = 0; second < 5; second += 1) {
      pass(1_000);
      started.push(start().length);
    }
    expect(started.reduce((sum, count) => sum + count)).to.equal(200);
    for (const count of started) expect(count).to.be.within(30, 50);
  });

  it('wakes an endpoint when its rest ends, and not before', () => {
    const { tasks, time, paced, start, pass } = aScheduler(['silent']);
    const [job] = start();
    pass(DEADLINE_MS);
    tasks.release(job!, TIMED_OUT);
    expect(paced.calls).to.equal(1);
    const due = tasks.nextWakeAt()!;
    expect(due).to.be.within(time.now + 1, time.now + DEADLINE_MS / 2);
    pass(due - time.now - 0.5);
    expect(start()).to.deep.equal([]);
    pass(0.5);
    expect(start()).to.have.length(1);
    expect(tasks.nextWakeAt()).to.equal(null);
  });

  it('ends with an answer to another POST', () => {
    const { tasks, start, pass } = aScheduler(['mixed']);
    tasks.release(start()[0]!, ANSWERED);
    const [one, other] = start();
    pass(DEADLINE_MS);
    tasks.release(one!, TIMED_OUT);
    expect(start()).to.deep.equal([]);
    tasks.release(other!, ANSWERED);
    expect(start().length).to.be.greaterThan(0);
  });

  it('follows attempts that cannot be made, and doubles with each of them up to half a minute', () => {
    const { tasks, time, start, pass } = aScheduler(['undecryptable']);
    pass(3_600_000);
    const rests: number[] = [];
    for (let tries = 0; tries < 7; tries += 1) {
      const [job, ...others] = start();
      expect(others, 'one at a time').to.deep.equal([]);
      tasks.releaseUnattempted(job!);
      expect(tasks.standing('undecryptable')).to.equal('silent');
      expect(start()).to.deep.equal([]);
      rests.push(tasks.nextWakeAt()! - time.now);
      pass(rests.at(-1)!);
    }
    expect(rests).to.deep.equal([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    tasks.release(start()[0]!, ANSWERED);
    expect(tasks.standing('undecryptable')).to.equal('proven');
    const together = start();
    expect(together).to.have.length(4);
    for (const job of together) tasks.releaseUnattempted(job);
    expect(tasks.nextWakeAt()! - time.now, 'after an answer').to.equal(1_000);
  });

  it('doubles once for attempts that began together and cannot be made', () => {
    const { tasks, time, start } = aScheduler(['undecryptable']);
    tasks.release(start()[0]!, ANSWERED);
    const together = start();
    expect(together).to.have.length(4);
    for (const job of together) tasks.releaseUnattempted(job);
    expect(tasks.nextWakeAt()! - time.now).to.equal(1_000);
  });

  it('is shorter than half of the POST, so that a short deadline has short rests', () => {
    const restAfter = createRests(() => 0);
    const rests = Array.from({ length: 1_000 }, () => restAfter(300));
    expect(Math.max(...rests)).to.be.below(150);
    expect(Math.min(...rests)).to.be.at.least(0);
  });

  for (const [busy, longestMs] of [
    [0.5, 5_000],
    [0.75, 5_000],
    [0.875, 12_500],
    [1, 20_000],
  ] as const) {
    it(`is at most ${longestMs} ms after a time-out in a process that is busy for ${busy} of the time`, () => {
      const restAfter = createRests(() => busy);
      const rests = Array.from({ length: 1_000 }, () => restAfter(DEADLINE_MS));
      expect(Math.max(...rests)).to.be.within(0.99 * longestMs, longestMs);
    });
  }
});
