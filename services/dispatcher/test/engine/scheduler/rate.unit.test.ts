import { expect } from 'chai';
import fc from 'fast-check';
import { createEndpointScheduler } from '../../../src/engine/scheduler/endpoint-scheduler.js';
import { poolLimits } from '../../../src/engine/scheduler/pool-limits.js';
import { dueAt, queueLimit, rateOf, takeToken } from '../../../src/engine/scheduler/rate.js';

const ANSWERED = { durationMs: 20, timedOut: false };

/** A scheduler whose endpoints have the given rates, at a time that moves by `pass` only. POSTs end at once. */
function aScheduler(rates: Readonly<Record<string, number | null>>) {
  const time = { now: 0 };
  const paced = { calls: 0 };
  const limits = poolLimits({ perEndpoint: 4, prompt: 64, lingering: 64, bytes: 2 ** 24 });
  const tasks = createEndpointScheduler<{ endpointId: string }>(limits, () => time.now, {
    isReplay: () => false,
    onPaced: () => {
      paced.calls += 1;
    },
    restAfter: () => 0,
  });
  const posts: { endpointId: string; at: number }[] = [];
  const add = (endpointId: string, count: number) => {
    for (let added = 0; added < count; added += 1)
      tasks.enqueue({ endpointId, workspaceId: 'w' }, { endpointId });
  };
  const run = () => {
    for (let task = tasks.next(); task !== null; task = tasks.next()) {
      const { endpointId } = task;
      const ratePerSecond = rates[endpointId] ?? null;
      if (
        !tasks.confirm(task, { origin: `https://${endpointId}`, failing: false, bytes: 1_000, ratePerSecond })
      )
        continue;
      posts.push({ endpointId, at: time.now });
      tasks.release(task, ANSWERED);
    }
  };
  /** Wakes lanes when the timer would, and no more often. */
  const pass = (ms: number) => {
    const until = time.now + ms;
    run();
    for (let at = tasks.nextWakeAt(); at !== null && at <= until; at = tasks.nextWakeAt()) {
      time.now = Math.max(at, time.now + 1);
      tasks.wake();
      run();
    }
    time.now = until;
  };
  const timesOf = (endpointId: string) =>
    posts.filter((post) => post.endpointId === endpointId).map(({ at }) => at);
  return { tasks, time, paced, posts, add, pass, run, timesOf };
}

describe('rate of an endpoint', () => {
  it('starts POSTs evenly and never early', () => {
    const { add, pass, timesOf } = aScheduler({ slow: 10 });
    add('slow', 50);
    pass(2_000);
    const times = timesOf('slow');
    expect(times.length).to.be.within(19, 21);
    for (const [index, at] of times.slice(1).entries()) expect(at - times[index]!).to.be.at.least(100 - 1e-6);
  });

  it('never admits more than the rate and 50 ms of it, in any span of time', () => {
    const rates = fc.integer({ min: 1, max: 1_000 });
    const gaps = fc.array(fc.nat({ max: 400 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(rates, gaps, (perSecond, waits) => {
        const rate = rateOf(null, perSecond, 0)!;
        const taken: number[] = [];
        let now = 0;
        for (const wait of waits) {
          while (takeToken(rate, now)) taken.push(now);
          now += wait;
        }
        const most = Math.max(1, perSecond / 20);
        // Between POSTs i and j there are j - i + 1 of them.
        const beyondRate = taken.map((at, index) => index - (perSecond * at) / 1_000);
        let least = Number.POSITIVE_INFINITY;
        let worst = 0;
        for (const value of beyondRate) {
          least = Math.min(least, value);
          worst = Math.max(worst, value - least + 1);
        }
        expect(worst).to.be.at.most(most + 1e-6);
      }),
      { numRuns: 100 },
    );
  });

  it('holds back no other endpoint, takes no slot, and wakes by its own time', () => {
    const { tasks, add, pass, paced, timesOf } = aScheduler({ slow: 1, other: null });
    add('slow', 100);
    add('other', 100);
    pass(0);
    expect(timesOf('other')).to.have.length(100);
    expect(timesOf('slow')).to.deep.equal([0]);
    expect(tasks.figures().inFlight).to.equal(0);
    expect(paced.calls).to.be.greaterThan(0);
    pass(3_000);
    expect(timesOf('slow')).to.have.length(4);
  });

  it('is not exceeded by POSTs that were chosen before their rows were read', () => {
    const { tasks, time, add, pass } = aScheduler({ hook: 20 });
    add('hook', 1);
    pass(1_000);
    add('hook', 10);
    const chosen = [tasks.next(), tasks.next()];
    expect(chosen[1], 'one token, so one job is chosen').to.equal(null);
    time.now += 5_000;
    expect(
      tasks.confirm(chosen[0]!, { origin: 'https://hook', failing: false, bytes: 1_000, ratePerSecond: 20 }),
    ).to.equal(true);
    tasks.release(chosen[0]!, ANSWERED);
    expect(tasks.next(), 'waiting for the read saves no tokens').to.equal(null);
  });

  it('follows a change of the rate with the next POST', () => {
    const rates: Record<string, number | null> = { hook: 1 };
    const { add, pass, timesOf } = aScheduler(rates);
    add('hook', 100);
    pass(2_000);
    expect(timesOf('hook')).to.have.length(3);
    rates.hook = 100;
    pass(2_000);
    expect(timesOf('hook').length).to.be.within(80, 100);
    rates.hook = null;
    add('hook', 100);
    pass(1_000);
    expect(timesOf('hook')).to.have.length(200);
  });

  it('keeps few jobs of a limited endpoint in memory', () => {
    expect(queueLimit(null)).to.equal(Number.POSITIVE_INFINITY);
    expect([1, 2, 50, 1_000].map((perSecond) => queueLimit(rateOf(null, perSecond, 0)))).to.deep.equal([
      4, 4, 100, 2_000,
    ]);
  });

  it('is due when the missing token has accrued', () => {
    const rate = rateOf(null, 4, 0)!;
    expect(takeToken(rate, 0)).to.equal(true);
    expect(dueAt(rate, 1, 0)).to.equal(250);
    expect(takeToken(rate, 249)).to.equal(false);
    expect(takeToken(rate, 250)).to.equal(true);
  });
});

describe('rateOf', () => {
  const spent = (perSecond: number) => {
    const rate = rateOf(null, perSecond, 0)!;
    while (takeToken(rate, 0));
    return rate;
  };

  it('starts with the tokens of 50 ms, and at least one', () => {
    expect(rateOf(null, 100, 0)).to.include({ perSecond: 100, tokens: 5 });
    expect(rateOf(null, 1, 0)).to.include({ perSecond: 1, tokens: 1 });
  });

  it('gives no tokens for another rate, and keeps no more than that one may have', () => {
    const faster = rateOf(spent(100), 200, 0)!;
    expect(takeToken(faster, 0)).to.equal(false);
    expect(dueAt(faster, 1, 0)).to.equal(5);
    expect(rateOf(rateOf(null, 1_000, 0), 100, 0)).to.include({ perSecond: 100, tokens: 5 });
  });

  it('is the known one if the rate did not change, and null without a rate', () => {
    const known = spent(100);
    expect(rateOf(known, 100, 10)).to.equal(known);
    expect(rateOf(known, null, 10)).to.equal(null);
    expect(rateOf(null, null, 10)).to.equal(null);
  });

  it('is due when the missing part of the tokens has accrued', () => {
    const rate = spent(100);
    expect(dueAt(rate, 2, 5)).to.equal(20);
    expect(dueAt(rate, 1, 30)).to.equal(30);
  });
});
