import { expect } from 'chai';
import {
  createEndpointScheduler,
  type EndpointScheduler,
  type SchedulerLimits,
} from '../../src/engine/endpoint-scheduler.js';

const LIMITS: SchedulerLimits = { perEndpoint: 4, total: 100, slow: 50, slowFromMs: 1_000 };
const ANSWERED = { durationMs: 20, timedOut: false };
const TIMED_OUT = { durationMs: 10_000, timedOut: true };
const TOOK_LONG = { durationMs: 9_000, timedOut: false };

interface Task {
  readonly endpointId: string;
  readonly number: number;
}

function scheduler(limits: Partial<SchedulerLimits> = {}): EndpointScheduler<Task> {
  return createEndpointScheduler<Task>({ ...LIMITS, ...limits });
}

function fill(into: EndpointScheduler<Task>, endpointId: string, count: number): void {
  for (let number = 0; number < count; number += 1) into.enqueue(endpointId, { endpointId, number });
}

/** Takes up to `limit` jobs that may start now. @returns their endpoints */
function start(from: EndpointScheduler<Task>, limit = Number.POSITIVE_INFINITY): string[] {
  const started: string[] = [];
  for (let task = from.next(); task !== null; task = started.length < limit ? from.next() : null)
    started.push(task.endpointId);
  return started;
}

/** Makes an endpoint slow by one finished POST. */
function end(at: EndpointScheduler<Task>, endpointId: string, how: typeof ANSWERED): void {
  fill(at, endpointId, 1);
  expect(at.next()?.endpointId).to.equal(endpointId);
  at.release(endpointId, how);
}

describe('endpoint scheduler', () => {
  it('serves each of ten small endpoints within one round of an endpoint with a thousand jobs', () => {
    const tasks = scheduler();
    fill(tasks, 'big', 1_000);
    const small = Array.from({ length: 10 }, (_, index) => `small ${index}`);
    for (const endpointId of small) fill(tasks, endpointId, 1);
    expect(start(tasks, 11)).to.have.members(['big', ...small]);
    expect(start(tasks)).to.deep.equal(['big', 'big', 'big']);
  });

  it('keeps the order of one endpoint', () => {
    const tasks = scheduler();
    fill(tasks, 'a', 3);
    expect([tasks.next(), tasks.next(), tasks.next()].map((task) => task?.number)).to.deep.equal([0, 1, 2]);
  });

  it('serves endpoints round-robin in any order of freed slots', () => {
    const tasks = scheduler({ total: 1 });
    for (const endpointId of ['a', 'b', 'c']) fill(tasks, endpointId, 3);
    const order: string[] = [];
    for (let task = tasks.next(); task !== null; task = tasks.next()) {
      order.push(task.endpointId);
      tasks.release(task.endpointId, ANSWERED);
    }
    expect(order.join('')).to.equal('abcabcabc');
  });

  it('limits POSTs in flight to one endpoint', () => {
    const tasks = scheduler();
    fill(tasks, 'a', 10);
    expect(start(tasks)).to.have.length(4);
    expect(tasks.load('a')).to.equal(10);
    expect(tasks.queued('a')).to.equal(6);
    tasks.release('a', ANSWERED);
    expect(start(tasks)).to.have.length(1);
  });

  it('limits POSTs in flight in total', () => {
    const tasks = scheduler({ total: 5 });
    for (const endpointId of ['a', 'b', 'c']) fill(tasks, endpointId, 4);
    expect(start(tasks)).to.have.length(5);
    expect(tasks.inFlight()).to.equal(5);
    tasks.release('b', ANSWERED);
    expect(start(tasks)).to.have.length(1);
  });

  for (const [name, how] of [
    ['that timed out', TIMED_OUT],
    ['that take long', TOOK_LONG],
  ] as const) {
    it(`limits endpoints ${name} to their share of the slots`, () => {
      const tasks = scheduler({ total: 8, slow: 4 });
      const slow = ['s1', 's2', 's3', 's4', 's5', 's6'];
      for (const endpointId of slow) end(tasks, endpointId, how);
      for (const endpointId of slow) fill(tasks, endpointId, 10);
      expect(start(tasks)).to.have.length(4);
      fill(tasks, 'fast', 10);
      expect(start(tasks)).to.deep.equal(['fast', 'fast', 'fast', 'fast']);
      tasks.release('fast', ANSWERED);
      expect(start(tasks)).to.deep.equal(['fast']);
    });
  }

  it('gives slow endpoints every other turn under any load of fast ones', () => {
    const tasks = scheduler({ total: 1, slow: 1 });
    end(tasks, 'slow', TOOK_LONG);
    fill(tasks, 'slow', 10);
    for (const endpointId of ['a', 'b', 'c']) fill(tasks, endpointId, 10);
    const order: string[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      const [endpointId = ''] = start(tasks);
      order.push(endpointId);
      tasks.release(endpointId, endpointId === 'slow' ? TOOK_LONG : ANSWERED);
    }
    expect(order.filter((endpointId) => endpointId === 'slow')).to.have.length(5);
  });

  it('sends one POST at a time to an endpoint that timed out, until it answers', () => {
    const tasks = scheduler();
    fill(tasks, 'a', 20);
    start(tasks);
    tasks.release('a', TIMED_OUT);
    expect(start(tasks), 'three are still in flight').to.have.length(0);
    for (let left = 0; left < 3; left += 1) tasks.release('a', TIMED_OUT);
    expect(start(tasks)).to.have.length(1);
    tasks.release('a', null);
    expect(start(tasks), 'a job without a POST does not change the latency').to.have.length(1);
    tasks.release('a', TOOK_LONG);
    expect(start(tasks), 'it answered, if slowly').to.have.length(4);
  });

  it('treats a slow endpoint as fast after several fast responses', () => {
    const tasks = scheduler({ total: 8, slow: 1 });
    end(tasks, 'a', TOOK_LONG);
    fill(tasks, 'a', 20);
    expect(start(tasks)).to.have.length(1);
    for (let answers = 0; answers < 4; answers += 1) {
      tasks.release('a', ANSWERED);
      start(tasks);
    }
    expect(tasks.inFlight()).to.equal(4);
  });

  it('starts queued jobs of endpoints that become slow or fast again', () => {
    for (const turns of [0, 1]) {
      const tasks = scheduler();
      for (let turn = 0; turn < turns; turn += 1) tasks.next();
      fill(tasks, 'a', 2);
      tasks.next();
      tasks.release('a', { durationMs: 500, timedOut: true });
      expect(tasks.next(), 'slow now').to.not.equal(null);
      fill(tasks, 'a', 1);
      tasks.release('a', ANSWERED);
      expect(tasks.next(), 'fast again').to.not.equal(null);
    }
  });

  it('does not limit a recovered endpoint to the share of slow ones', () => {
    const tasks = scheduler({ slow: 2 });
    for (const endpointId of ['a', 'b']) end(tasks, endpointId, { durationMs: 500, timedOut: true });
    fill(tasks, 'a', 3);
    fill(tasks, 'b', 2);
    expect(start(tasks)).to.have.members(['a', 'b']);
    fill(tasks, 'c', 1);
    tasks.release('a', ANSWERED);
    expect(start(tasks)).to.have.members(['a', 'a', 'c']);
  });

  it('clears queued jobs and keeps those in flight', () => {
    const tasks = scheduler({ perEndpoint: 2 });
    fill(tasks, 'a', 5);
    start(tasks);
    expect(tasks.clearQueue('a').map(({ number }) => number)).to.deep.equal([2, 3, 4]);
    expect(tasks.clearQueue('a')).to.deep.equal([]);
    expect(tasks.clearQueue('unknown')).to.deep.equal([]);
    expect(tasks.load('a')).to.equal(2);
    tasks.release('a', ANSWERED);
    expect(tasks.next()).to.equal(null);
    fill(tasks, 'a', 1);
    expect(tasks.next()).to.deep.equal({ endpointId: 'a', number: 0 });
  });

  it('serves an endpoint once per round after its queue was cleared and refilled', () => {
    const tasks = scheduler({ total: 4, perEndpoint: 2 });
    fill(tasks, 'a', 2);
    tasks.clearQueue('a');
    fill(tasks, 'a', 2);
    fill(tasks, 'b', 2);
    expect(start(tasks).join('')).to.equal('abab');
  });

  it('keeps a bounded number of idle endpoints and every busy one', () => {
    const tasks = scheduler({ total: 100_000 });
    fill(tasks, 'busy', 5);
    start(tasks);
    for (let index = 0; index < 21_000; index += 1) {
      tasks.enqueue(`idle ${index}`, { endpointId: `idle ${index}`, number: 0 });
      tasks.next();
      tasks.release(`idle ${index}`, ANSWERED);
    }
    expect([...tasks.endpoints()])
      .to.have.length.below(20_001)
      .and.include('busy');
    expect(tasks.load('busy')).to.equal(5);
    expect(tasks.load('idle 0')).to.equal(0);
  });
});
